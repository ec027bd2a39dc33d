// Host memory that the processes of a job hold, the one rule for offers and described machines.
// Assumed, not measured: what a framework holds, and that every loader thread has a batch in hand.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/setting.h"

namespace rightsize {

// How a reason begins that is host memory.
inline constexpr std::string_view host_memory_too_small = "host memory too small";

// Bytes of one node. `batch_bytes`: the inputs of one worker's batch; `gpus`: one process each, 0
// when the CPU computes; `network_bytes`: parameters and activations, where they lie in host
// memory.
[[nodiscard]] double host_memory_bytes(const Setting& setting,
                                       double batch_bytes,
                                       double gpus,
                                       double network_bytes);

// Why a machine of `memory_gib` cannot hold them; "" where it can, or its memory is not stated.
[[nodiscard]] std::string host_memory_shortage(double needed_bytes,
                                               std::optional<double> memory_gib);

}  // namespace rightsize
