// Figures as foreign files write them: prices with their traps, sizes with units, counts. A figure
// that is not one is absent, and the reason is said; it is never zero.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pricing/money.h"

namespace rightsize {

// A price field: a price, or why there is none. Both absent: the field is empty, nothing is sold.
struct PriceFigure {
  std::optional<Money> price;
  std::string trap;
};

// Of so many hours together: 1, a month's, those of a reservation's term. Zero, negative,
// placeholders (99999999.000, and what nobody pays for an hour) and words for "unknown" ("-Not
// Fetched-", "N/A") are traps. Throws PricingError when the text is neither a price nor a known way
// to say there is none.
[[nodiscard]] PriceFigure read_price(std::string_view text,
                                     const std::string& currency,
                                     int hours = 1);

// How large a number is, to tell what cannot be a price before reading it; infinite where not even
// a double holds it, absent for what is no number. No price is ever made of it.
[[nodiscard]] std::optional<double> rough_size(std::string_view number);

// "1.5E-05" -> "0.000015", other text as it is: JSON and Python write small prices so.
[[nodiscard]] std::string plain_decimal(std::string_view text);

// "244 GiB", "1,952 GB" (which AWS and SkyPilot mean as GiB), "16.0" -> 244, 1952, 16. Absent for
// words ("NA"), zero and anything else. Blank int64 maxima, DCGM's way, are absent too.
[[nodiscard]] std::optional<double> read_quantity(std::string_view text);

// Whether it is an amount of something: more than zero, and not DCGM's blank.
[[nodiscard]] bool is_quantity(double value);

// "-Not Fetched-", "N/A", "null" and the like, without case and blanks around.
[[nodiscard]] bool says_unknown(std::string_view text);

// Whether `text` has `word` in it, without case.
[[nodiscard]] bool mentions(std::string_view text, std::string_view word);

// Whether a CPU so called has Arm's architecture: AWS's Graviton, Arm's own Neoverse, Ampere's
// Altra.
[[nodiscard]] bool is_arm_cpu(std::string_view cpu);

// The date of "2026-01-16T16:02:58Z": "2026-01-16".
[[nodiscard]] std::string date_of(std::string_view time);

}  // namespace rightsize
