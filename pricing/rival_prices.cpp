#include "pricing/rival_prices.h"

#include <algorithm>

#include <fmt/format.h>

namespace rightsize {
namespace {

constexpr double low_share = 0.6;  // on lists of 2026 the next provider mostly asks 10 to 40 % more

bool is_measure(const Offer& offer) {
  return offer.market == Market::on_demand && !offer.gpu.empty() && offer.gpus >= 1 &&
         offer.retired_on.empty();
}

std::string key_of(const Offer& offer) {
  return fmt::format("{}/{}/{}", offer.gpu, offer.book, offer.price_per_hour.currency());
}

double price_of_one(const Offer& offer) {
  return offer.price_per_hour.approximate() / offer.gpus;
}

}  // namespace

RivalPrices::RivalPrices(std::span<const Offer> offers) {
  for (const auto& offer : offers) {
    if (is_measure(offer) && offer.price_per_hour.approximate() > 0) {
      auto& least =
          of_gpu_[key_of(offer)].try_emplace(offer.provider, price_of_one(offer)).first->second;
      least = std::min(least, price_of_one(offer));
    }
  }
}

std::string RivalPrices::doubt(const Offer& offer) const {
  const auto found = is_measure(offer) ? of_gpu_.find(key_of(offer)) : of_gpu_.end();
  if (found == of_gpu_.end()) {
    return "";
  }
  double next = 0;
  std::size_t others = 0;
  for (const auto& [provider, price] : found->second) {
    if (provider != offer.provider) {
      next = others == 0 ? price : std::min(next, price);
      ++others;
    }
  }
  const double own = price_of_one(offer);
  return others > 0 && own < low_share * next
             ? fmt::format(
                   "{:.3g} {} an hour for one {} is {:.0f}% of the {:.3g} that {}: a teaser, a "
                   "part "
                   "of a card, or sold out?",
                   own,
                   offer.price_per_hour.currency(),
                   offer.gpu,
                   100 * own / next,
                   next,
                   others == 1 ? "the only other provider asks"
                               : fmt::format("the cheapest of {} other providers asks", others))
             : "";
}

}  // namespace rightsize
