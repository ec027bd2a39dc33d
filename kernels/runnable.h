// What an engine cannot run, told without building it: of a plan, before its runs begin.
#pragma once

#include "kernels/engine.h"

namespace rightsize {

// Throws EngineError, in the words of make_engine(), which asks this first.
void check_runnable(EngineKind kind, const Network& network, const EngineOptions& options);

}  // namespace rightsize
