// The units that sizes of memory and data are said in, for all rooms that may look into this one;
// pricing, which looks into none, has its own (pricing/billing.h).
#pragma once

namespace rightsize {

inline constexpr double bytes_per_mib = 0x1p20;
inline constexpr double bytes_per_gib = 0x1p30;

}  // namespace rightsize
