#include "pricing/days.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

namespace rightsize {
namespace {

// A date at the front of "2026-07-30" or "2026-07-30 (page read)".
std::optional<std::chrono::sys_days> day_of(std::string_view text) {
  const auto part = [&](std::size_t at, std::size_t length) {
    int value = -1;
    if (text.size() >= at + length) {
      std::from_chars(text.data() + at, text.data() + at + length, value);
    }
    return value;
  };
  const std::chrono::year_month_day day{std::chrono::year(part(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(part(8, 2)))};
  const bool dashes = text.size() >= 10 && text[4] == '-' && text[7] == '-';
  return dashes && day.ok() ? std::optional(std::chrono::sys_days(day)) : std::nullopt;
}

}  // namespace

bool is_day(std::string_view text) {
  constexpr std::string_view shape = "0000-00-00";
  return std::equal(
             text.begin(),
             text.end(),
             shape.begin(),
             shape.end(),
             [](char c, char like) { return like == '-' ? c == '-' : c >= '0' && c <= '9'; }) &&
         days_between(text, text);
}

std::optional<int> days_between(std::string_view from, std::string_view to) {
  const auto first = day_of(from);
  const auto last = day_of(to);
  return first && last ? std::optional(static_cast<int>((*last - *first).count())) : std::nullopt;
}

std::string age_doubt(std::string_view as_of,
                      std::string_view today,
                      int old_days,
                      int stale_days) {
  const auto days = days_between(as_of, today);
  if (!days) {
    return fmt::format(
        "{}: prices without a date cannot be told from old ones; import with --as-of YYYY-MM-DD",
        as_of.empty() ? "no date" : fmt::format("\"{}\"", as_of));
  }
  if (*days < 0) {
    return fmt::format("{} is in the future", as_of);
  }
  const bool stale = *days > stale_days;
  return *days <= old_days ? ""
                           : fmt::format("{} is {} days ago, more than {}: {}",
                                         as_of,
                                         *days,
                                         stale ? stale_days : old_days,
                                         stale ? "do not spend on it, fetch it anew"
                                               : "fetch it anew before you rent");
}

}  // namespace rightsize
