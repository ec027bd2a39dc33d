// What of a network is trained, and what is kept of it: the part of a training step that is neither
// the network nor the machine.
#pragma once

#include <compare>

#include "kernels/adapters.h"
#include "kernels/network.h"
#include "kernels/training_state.h"

namespace rightsize {

struct Tuning {
  Adapters adapters;  // all that is trained (LoRA, QLoRA), where there are any
  TrainingState state;

  auto operator<=>(const Tuning&) const = default;
};

[[nodiscard]] inline Network tuned(Network network, const Tuning& tuning) {
  network.adapters = tuning.adapters;
  network.state = tuning.state;
  return network;
}

}  // namespace rightsize
