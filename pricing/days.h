// Days as tables and files write them, and the age of what they say.
#pragma once

#include <optional>
#include <string_view>

namespace rightsize {

// A calendar day and nothing after it: "2026-11-02".
[[nodiscard]] bool is_day(std::string_view text);

// Days between two dates "2026-11-21"; nullopt where one is none.
[[nodiscard]] std::optional<int> days_between(std::string_view from, std::string_view to);

}  // namespace rightsize
