// What no billing rule goes below, for searches that stop where nothing cheaper can come.
#pragma once

namespace rightsize {

// Of the list price of a month no rule leaves less (GCE's sustained use: 0.7); catalog_test holds
// the shipped rules to it.
inline constexpr double largest_discount = 0.5;

}  // namespace rightsize
