// Speeds in what people write of links between machines, in lower case.
#pragma once

#include <string_view>

namespace rightsize {

struct LinkSpeed {
  double gbit_per_s = 0;  // 0: none is said
  bool has_unit = false;  // "100 gb/s", not "ib:100"
};

// Of "25gbe", "100 gb/s", "ib:200", "8x200gbit", "2 x 100gbe", "efa 3.2tbps", "12.5 gbyte/s". A
// number with a unit counts before one that stands bare behind a word; digits of names
// ("p2.16xlarge", "connectx-6", "8x hdr") are no speed.
[[nodiscard]] LinkSpeed link_speed(std::string_view part);

// The 8 of "8x hdr", "8xhdr" and "infiniband: 8 x ndr"; 1 where there is none.
[[nodiscard]] double lines_in(std::string_view part);

// Below zero or zero, no number behind a network's colon, or more than any machine has: "ib:-100",
// "0gbe", "ib:nan", "ethernet:", "99999gbe".
[[nodiscard]] bool has_impossible_speed(std::string_view part);

}  // namespace rightsize
