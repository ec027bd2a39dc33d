// What machines are sold in where a GiB is too coarse.
#pragma once

#include <cstdint>

namespace rightsize {

inline constexpr std::int64_t mib_per_gib = 1024;

}  // namespace rightsize
