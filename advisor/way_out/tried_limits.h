// Limits on waiting that are tried in place of those that no machine keeps to, and which of them is
// named.
#pragma once

#include <string>
#include <vector>

namespace rightsize {

// Beyond what a machine does alone there is to be room for a load.
inline constexpr double tried_factors[] = {1.1, 1.25, 1.5, 2, 3};

// The first of the limits that is met with no more than twice the machines of the widest: one that
// is met with idle machines alone takes any number of them. -1: none is met. `machines`: 0 where a
// limit is met by no number.
[[nodiscard]] int first_sensible(const std::vector<int>& machines);

// "by 3 of it"
[[nodiscard]] std::string of_them(int machines);

// Two digits, upwards: what is named has to be enough.
[[nodiscard]] double rounded_up(double seconds);

}  // namespace rightsize
