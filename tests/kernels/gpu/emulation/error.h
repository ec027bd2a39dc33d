// What an emulated kernel did that a GPU would punish, or not even notice.
#pragma once

#include <stdexcept>

namespace rightsize::emulation {

struct EmulationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace rightsize::emulation
