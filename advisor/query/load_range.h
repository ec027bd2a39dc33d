// The loads that can be asked about: one range for job files, flags and suppositions.
#pragma once

#include <string>

#include <fmt/format.h>

namespace rightsize {

struct LoadRange {
  double least_per_s;
  double most_per_s;
  const char* of;  // what is counted
  const char* most_in_words;

  [[nodiscard]] constexpr bool has(double per_s) const {  // false of NaN
    return per_s >= least_per_s && per_s <= most_per_s;
  }
  // "requests per second, from 0.000001 to 10 million"
  [[nodiscard]] std::string words() const {
    return fmt::format("{} per second, from {:f} to {}", of, least_per_s, most_in_words);
  }
};

// Less than one in eleven days is no load of a service; at the other end more machines are needed
// than anybody rents.
inline constexpr LoadRange request_loads{1e-6, 1e7, "requests", "10 million"};
inline constexpr LoadRange sequence_loads{1e-6, 1e6, "sequences", "a million"};

// Of a month of 730, that a service may run.
[[nodiscard]] constexpr bool is_service_hours(double hours) {  // false of NaN
  return hours >= 1 && hours <= 730;
}
inline constexpr auto service_hours_grammar =
    "hours of a month that the service runs, from 1 to 730; without it all of them";

}  // namespace rightsize
