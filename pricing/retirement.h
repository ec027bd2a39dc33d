// Machines that their provider no longer rents: a table of catalogues lists them for years after.
// Only what a source dates is in tables/retired.csv; AWS's P2, which left in 2024 or 2025 without a
// dated notice that was found, is not.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/offer.h"

namespace rightsize {

struct Retirement {
  std::string provider;
  std::string instances;  // "p3.*": a name, "*" standing for any part of it
  std::string gpu;        // "": whatever it has
  std::string on;         // "2025-12-20": the last day, or the day after
  std::string source;
};

// Throws PricingError naming file and line of a row without provider, instances or date.
[[nodiscard]] std::vector<Retirement> parse_retirements(std::string_view csv,
                                                        std::string_view file);

// The one that ended the offer before `today` ("2026-11-24"); nullptr while it is sold, and where
// the price is of another time: an era's book, or a year and more before its end. There the
// question is about the past.
[[nodiscard]] const Retirement* retirement_of(const Offer& offer,
                                              std::span<const Retirement> all,
                                              std::string_view today);

}  // namespace rightsize
