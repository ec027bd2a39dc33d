// How much of a reservation's hours there is work for.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace rightsize {

// Of the hours that are paid for, in parts: those without work to those with.
struct ReservedUse {
  std::int64_t idle = 0;
  std::int64_t used = 1;
  std::string words;  // "60 % used, as given"; where some are idle
};

// Of a machine that one run is billed `time` of. As given in per cent, else what `runs_per_month`
// use of whole months, else all. Throws PricingError for a percentage that is not in 1 to 100.
[[nodiscard]] ReservedUse reserved_use(std::chrono::seconds time,
                                       std::optional<int> percent,
                                       std::optional<double> runs_per_month);

}  // namespace rightsize
