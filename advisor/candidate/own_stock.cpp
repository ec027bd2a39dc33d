#include "advisor/candidate/own_stock.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pricing/billing.h"
#include "pricing/on_prem.h"

namespace rightsize {

int at_once(double hours, const std::optional<double>& runs_per_month) {
  const double machines = std::ceil(hours * runs_per_month.value_or(0) / double{hours_per_month});
  return static_cast<int>(std::clamp(machines, 1.0, 1e9));
}

std::string why_too_few(const Offer& offer, const Query& query, int nodes, double hours) {
  if (!offer.count) {
    return "";
  }
  const int groups = query.serves() ? 1 : at_once(hours, query.runs_per_month);
  const auto taken = std::int64_t{nodes} * groups;
  if (taken <= *offer.count) {
    return "";
  }
  const auto there = *offer.count == 0 ? std::string("all are taken by what is named before it")
                     : *offer.count == 1
                         ? fmt::format("there is 1 of {}", offer.instance)
                         : fmt::format("there are {} of {}", *offer.count, offer.instance);
  return fmt::format("too few of your own machines: {} {}, and {}",
                     groups > 1 ? fmt::format("{:g} runs a month take", *query.runs_per_month)
                                : std::string("it takes"),
                     taken,
                     there);
}

int most_together(const Query& query, const Offer& offer) {
  return std::max(1, std::min(query.nodes_max, offer.count.value_or(query.nodes_max)));
}

const Offer* own_offer(const Catalog& catalog, std::string_view instance) {
  const auto& offers = catalog.offers();
  const auto found = std::find_if(offers.begin(), offers.end(), [&](const Offer& offer) {
    return is_own(offer) && offer.instance == instance;
  });
  return found == offers.end() ? nullptr : &*found;
}

Catalog with_count(const Catalog& catalog, std::string_view instance, std::optional<int> count) {
  Catalog other = catalog;
  if (const auto* found = own_offer(catalog, instance)) {
    other.shelve([&](const Offer& offer) { return is_own(offer) && offer.instance == instance; });
    Offer changed = *found;
    changed.count = count;
    other.add(std::move(changed));
  }
  return other;
}

}  // namespace rightsize
