// The age of what a table says.
#pragma once

#include <optional>
#include <string_view>

namespace rightsize {

// Days between two dates "2026-11-21"; nullopt where one is none.
[[nodiscard]] std::optional<int> days_between(std::string_view from, std::string_view to);

}  // namespace rightsize
