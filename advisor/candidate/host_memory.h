// Host memory that the processes of a job hold, the one rule for offers and described machines.
// Assumed, not measured: what a framework holds, and that every loader thread has a batch in hand.
#pragma once

#include <optional>
#include <string>

#include "models/setting.h"

namespace rightsize {

// Bytes of one node. `batch_bytes`: the inputs of one worker's batch; `gpus`: one process each, 0
// when the CPU computes; `network_bytes`: parameters and activations, where they lie in host
// memory.
[[nodiscard]] double host_memory_bytes(const Setting& setting,
                                       double batch_bytes,
                                       double gpus,
                                       double network_bytes);

// Bytes that a transformer's weights take on their way through the host's memory to its GPUs,
// beside what the processes hold: two of the shards of 5 GB in which safetensors are published
// (assumed: one is read while another goes to the GPUs), never more than `weights_bytes`. They
// leave it again, and count for no cache of data.
[[nodiscard]] double weights_on_their_way(double weights_bytes);

// Why a machine of `memory_gib` cannot hold them; "" where it can, or its memory is not stated.
[[nodiscard]] std::string host_memory_shortage(double needed_bytes,
                                               std::optional<double> memory_gib);

}  // namespace rightsize
