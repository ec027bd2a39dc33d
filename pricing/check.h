// What in a price table should be doubted before money is spent on it: the traps of real
// catalogues. Reading has left out what cannot be a price; this looks at what can be, and is
// probably wrong.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/catalog.h"
#include "pricing/cpu_check.h"
#include "pricing/gpu_check.h"

namespace rightsize {

struct CheckOptions {
  std::string today;               // "2026-11-21"
  int old_days = 30;               // older: to be looked at
  int stale_days = 90;             // older: not to be trusted
  const Catalog* known = nullptr;  // tables to hold it against: shapes and prices; borrowed
  std::span<const Retirement> retirements{};  // borrowed
  CpuDoubt cpu_doubt = [](std::string_view) { return std::string(); };
  GpuDoubt gpu_doubt = [](std::string_view) { return std::string(); };
};

// Line, field, what it is and what to do about it; in the order of the lines.
[[nodiscard]] std::vector<PriceIssue> check_offers(std::span<const Offer> offers,
                                                   const CheckOptions& options);

}  // namespace rightsize
