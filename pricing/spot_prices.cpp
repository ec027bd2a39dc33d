#include "pricing/spot_prices.h"

#include <algorithm>

#include <fmt/format.h>

namespace rightsize {
namespace {

constexpr double low_share = 1.0 / 3;
constexpr std::size_t fewest_others = 2;
constexpr double low_share_of_demand = 0.2;  // of AWS's rows 5 % are lower, of GCP's as many

std::string key_of(const Offer& offer) {
  return fmt::format("{}/{}/{}/{}/{}",
                     offer.provider,
                     offer.instance,
                     offer.gpus,
                     offer.book,
                     offer.price_per_hour.currency());
}

std::string placed_key_of(const Offer& offer) {
  return key_of(offer) + "/" + offer.region;
}

// The lower of the middle two.
double median_of(std::vector<double> prices) {
  const auto middle = prices.begin() + static_cast<std::ptrdiff_t>((prices.size() - 1) / 2);
  std::nth_element(prices.begin(), middle, prices.end());
  return *middle;
}

}  // namespace

SpotPrices::SpotPrices(std::span<const Offer> offers) {
  for (const auto& offer : offers) {
    if (offer.market == Market::spot) {
      of_machine_[key_of(offer)].push_back({offer.region, offer.price_per_hour.approximate()});
    } else if (offer.market == Market::on_demand) {
      const double price = offer.price_per_hour.approximate();
      auto& least = on_demand_.try_emplace(placed_key_of(offer), price).first->second;
      least = std::min(least, price);
    }
  }
}

std::string SpotPrices::doubt_by_demand(const Offer& offer) const {
  const auto found =
      offer.market == Market::spot ? on_demand_.find(placed_key_of(offer)) : on_demand_.end();
  const double price = offer.price_per_hour.approximate();
  return found != on_demand_.end() && price < low_share_of_demand * found->second
             ? fmt::format(
                   "the spot price of {} {} is {:.0f}% of the {:.4g} it costs there on demand: of "
                   "one zone or one moment?",
                   offer.price_per_hour.decimal(),
                   offer.price_per_hour.currency(),
                   100 * price / found->second,
                   found->second)
             : "";
}

std::string SpotPrices::doubt(const Offer& offer) const {
  const auto found =
      offer.market == Market::spot ? of_machine_.find(key_of(offer)) : of_machine_.end();
  if (found == of_machine_.end()) {
    return "";
  }
  std::map<std::string, double> cheapest;  // by region: one that has two CPUs is not two
  for (const auto& price : found->second) {
    if (price.region != offer.region) {
      auto& there = cheapest.emplace(price.region, price.per_hour).first->second;
      there = std::min(there, price.per_hour);
    }
  }
  std::vector<double> elsewhere;
  for (const auto& [region, per_hour] : cheapest) {
    elsewhere.push_back(per_hour);
  }
  if (elsewhere.size() < fewest_others) {
    return "";
  }
  const double usual = median_of(elsewhere);
  const double share = offer.price_per_hour.approximate() / usual;
  return share < low_share
             ? fmt::format(
                   "the spot price of {} {} is {:.0f}% of the {:.3g} that {} other regions have in "
                   "the middle: of one zone or one moment?",
                   offer.price_per_hour.decimal(),
                   offer.price_per_hour.currency(),
                   100 * share,
                   usual,
                   elsewhere.size())
             : "";
}

}  // namespace rightsize
