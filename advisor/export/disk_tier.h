// The disk_tier by which SkyPilot is asked for a disk of one of our classes.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize {

// "  disk_tier: high  # gp3: 300 MB/s [published]": of the tiers that buy the option's class the
// lowest that is as fast, or the fastest. Where a cloud has no tier of that class it says which it
// gets.
[[nodiscard]] std::string disk_tier_line(const Option& option);

}  // namespace rightsize
