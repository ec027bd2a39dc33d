// The time of UTC, as documents and tables write it.
#pragma once

#include <string>

namespace rightsize {

// "2026-11-24T05:57:41Z"
[[nodiscard]] std::string now_utc();
// "2026-11-24"
[[nodiscard]] std::string today();

}  // namespace rightsize
