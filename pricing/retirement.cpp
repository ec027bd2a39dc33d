#include "pricing/retirement.h"

#include <algorithm>

#include <fmt/format.h>
#include <fnmatch.h>

#include "pricing/days.h"
#include "pricing/import/csv.h"
#include "pricing/import/csv_row.h"

namespace rightsize {
namespace {

bool of_another_time(const Offer& offer, const Retirement& retirement) {
  constexpr int days_of_year = 365;
  const auto before = days_between(day_at_the_latest(offer.as_of), retirement.on);
  return offer.book.starts_with("era-") || (before && *before > days_of_year);
}

}  // namespace

std::vector<Retirement> parse_retirements(std::string_view csv, std::string_view file) {
  const auto table = parse_csv(csv, file);
  require_columns(table, {"Provider", "Instances", "Gpu", "RetiredOn", "Source"}, file);
  std::vector<Retirement> all;
  for (const auto& row : table.rows) {
    const CsvRow reader(table, row, file);
    all.push_back({reader.text("Provider"),
                   reader.text("Instances"),
                   reader.text("Gpu"),
                   reader.text("RetiredOn"),
                   reader.text("Source")});
    const auto& one = all.back();
    if (one.provider.empty() || one.instances.empty() || !is_day(one.on)) {
      throw PricingError(fmt::format(
          "{}:{}: RetiredOn = \"{}\": expected a provider, its instances and a day 2025-12-20",
          file,
          row.line,
          one.on));
    }
  }
  return all;
}

const Retirement* retirement_of(const Offer& offer,
                                std::span<const Retirement> all,
                                std::string_view today) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Retirement& one) {
    if (one.provider != offer.provider || (!one.gpu.empty() && one.gpu != offer.gpu) ||
        fnmatch(one.instances.c_str(), offer.instance.c_str(), 0) != 0) {
      return false;  // mostly: before any date is read
    }
    const auto left = days_between(today, one.on);
    return left && *left < 0 && !of_another_time(offer, one);
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace rightsize
