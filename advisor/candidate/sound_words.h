// What answers about networks that hear leave out: their items are spectra of sound, and what makes
// these of sound files is no part of them.
#pragma once

#include <string>

#include "kernels/workload.h"

namespace rightsize {

// A sentence; with what a machine's vCPUs would have to do where its rate is known (above 0).
[[nodiscard]] std::string sound_left_out(Phase phase, double clips_per_s = 0);

}  // namespace rightsize
