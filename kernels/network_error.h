// A network that cannot be had as it was asked for: whoever asked mends the name, the file or the
// words; no driver or library failed.
#pragma once

#include "kernels/engine.h"

namespace rightsize {

// Its file is unreadable or malformed, or its sequence or adapters are none it can have. The
// message says what, where and what to try.
class NetworkError : public EngineError {
 public:
  using EngineError::EngineError;
};

}  // namespace rightsize
