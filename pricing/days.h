// Days as tables and files write them, and the age of what they say.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rightsize {

// A calendar day and nothing after it: "2026-11-02".
[[nodiscard]] bool is_day(std::string_view text);

// Days between two dates "2026-11-21"; nullopt where one is none.
[[nodiscard]] std::optional<int> days_between(std::string_view from, std::string_view to);

// "2017" is known to the year, "2017-07" to the month: their last days. Other text as it is.
[[nodiscard]] std::string day_at_the_latest(std::string_view as_of);

// What is wrong with prices of that day (or month, or year), as of `today`: no date, one to come,
// or older than `old_days`, and not to be trusted from `stale_days`. "" where nothing is.
[[nodiscard]] std::string age_doubt(std::string_view as_of,
                                    std::string_view today,
                                    int old_days,
                                    int stale_days);

}  // namespace rightsize
