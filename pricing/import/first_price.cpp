#include "pricing/import/first_price.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "pricing/sold_as.h"

namespace rightsize {

void keep_first_prices(ImportedTable& table) {
  std::map<SoldAs, const Offer*> first;
  std::vector<bool> again;
  for (const auto& offer : table.offers) {
    const auto [found, fresh] = first.emplace(sold_as(offer), &offer);
    again.push_back(!fresh);
    const Offer& kept = *found->second;
    if (kept.price_per_hour != offer.price_per_hour) {
      table.note(kept.line,
                 std::string(to_string(kept.market)),
                 fmt::format("{} in {} at {} {}, but line {} sells the same at {} {}: the first is "
                             "kept",
                             kept.instance,
                             kept.region,
                             kept.price_per_hour.decimal(),
                             kept.price_per_hour.currency(),
                             offer.line,
                             offer.price_per_hour.decimal(),
                             offer.price_per_hour.currency()));
    }
  }
  std::vector<Offer> kept;
  for (std::size_t i = 0; i < again.size(); ++i) {
    if (!again[i]) {
      kept.push_back(std::move(table.offers[i]));
    }
  }
  table.offers = std::move(kept);
}

}  // namespace rightsize
