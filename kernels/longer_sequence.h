// Sequences longer than those a network was trained for. What serves or writes refuses them: what
// comes out is of no use. Training is how a context is extended, where positions are rotary: their
// angles are scaled, and no table ends (Chen et al., "Extending context window of large language
// models via positional interpolation", 2023). The work is that of any sequence of this length.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/network.h"
#include "kernels/workload.h"

namespace rightsize {

// As make_network() of network.h, and with a backward pass also a language model or an encoder
// with rotary positions on a longer sequence, which its notes say. Throws as that does.
[[nodiscard]] Network make_network(std::string_view name, int sequence, Phase phase);

// Tokens of the longest sequence the network was trained for, where that makes a longer one; 0
// where it was trained for as long a one. Throws as make_network() does.
[[nodiscard]] std::int64_t exceeded_length(std::string_view name, int sequence, Phase phase);

// What has to be done to train on one, as the notes say it.
inline constexpr std::string_view longer_positions =
    "rotary positions must be scaled, which changes angles, not work";

}  // namespace rightsize
