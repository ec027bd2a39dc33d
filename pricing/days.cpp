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

std::string day_at_the_latest(std::string_view as_of) {
  constexpr std::size_t length_of_year = 4;
  constexpr std::size_t length_of_month = 7;
  const std::string text(as_of);
  if (text.size() == length_of_year && is_day(text + "-12-31")) {
    return text + "-12-31";
  }
  for (const auto* last : {"-31", "-30", "-29", "-28"}) {
    if (text.size() == length_of_month && is_day(text + last)) {
      return text + last;
    }
  }
  return text;
}

std::string age_doubt(std::string_view as_of,
                      std::string_view today,
                      int old_days,
                      int stale_days) {
  const auto last = day_at_the_latest(as_of);
  auto days = days_between(last, today);
  if (!days) {
    return fmt::format("{}: prices without a date cannot be told from old ones; {}",
                       as_of.empty() ? "no date" : fmt::format("\"{}\" is no day", as_of),
                       as_of.empty() ? "import with --as-of YYYY-MM-DD" : "write YYYY-MM-DD");
  }
  if (last != as_of && today.starts_with(as_of)) {
    days = 0;  // of this month, which is not over
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
