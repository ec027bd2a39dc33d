// What a rented disk holds beside data and weights.
#pragma once

#include <cstdint>

namespace rightsize {

// Of the operating system, drivers and frameworks [assumed].
inline constexpr std::int64_t system_disk_gib = 20;

}  // namespace rightsize
