#include "pricing/usual_prices.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "pricing/monthly.h"

namespace rightsize {
namespace {

constexpr double absurd_ratio = 10;

// One price book's "A100 80GB" is another's "A100-80GB".
std::string key_of(const Offer& offer) {
  std::string key;
  for (const char c : offer.gpu) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      key += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  return key + " " + offer.price_per_hour.currency();
}

std::optional<double> price_of_one(const Offer& offer) {
  const double count = offer.gpu.empty() ? offer.vcpus.value_or(0) : offer.gpus;
  const double price = offer.price_per_hour.approximate();
  return count > 0 && price > 0 ? std::optional(price / count) : std::nullopt;
}

// Three digits of small amounts, and all before the point of great ones.
std::string amount(double price) {
  return price < 999.5 ? fmt::format("{:.3g}", price) : fmt::format("{:.0f}", price);
}

}  // namespace

UsualPrices::UsualPrices(std::span<const Offer> known) {
  for (const auto& offer : known) {
    const auto price = price_of_one(offer);
    if (offer.market == Market::on_demand && price) {
      auto& range = of_one_.try_emplace(key_of(offer), Range{*price, *price}).first->second;
      range.least = std::min(range.least, *price);
      range.most = std::max(range.most, *price);
    }
  }
}

std::string UsualPrices::doubt(const Offer& offer) const {
  const auto range = of_one_.find(key_of(offer));
  const auto price = price_of_one(offer);
  if (range == of_one_.end() || !price) {
    return "";
  }
  const bool cheap =
      offer.market != Market::spot && *price < range->second.least / absurd_ratio;  // spot may be
  const bool dear = *price > range->second.most * absurd_ratio;
  return cheap || dear ? fmt::format(
                             "{} is {} an hour for one {}, which is sold for {} to {}: is "
                             "the unit or the period another?",
                             price_as_told(offer),
                             amount(*price),
                             offer.gpu.empty() ? "vCPU" : offer.gpu,
                             amount(range->second.least),
                             amount(range->second.most))
                       : "";
}

}  // namespace rightsize
