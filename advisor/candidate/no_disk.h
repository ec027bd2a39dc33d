// How it is refused that no volume of the tables and no disk of the machine holds the data, and the
// way out of it.
#pragma once

#include <string_view>

namespace rightsize {

inline constexpr std::string_view no_disk_is_large_enough =
    "no disk on offer is large enough for the data set: volumes end at 64 TiB at most, and none "
    "are striped here; ask about a part of it, by items and bytes, a job for each";

}  // namespace rightsize
