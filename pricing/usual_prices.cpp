#include "pricing/usual_prices.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "pricing/monthly.h"

namespace rightsize {
namespace {

constexpr double absurd_ratio = 10;

// What one of a currency was worth in dollars from 2015 to 2025, its least and its most rounded
// outwards (from memory of central banks' rates: for doubts by a factor of ten, not for bills).
struct Worth {
  std::string_view currency;
  double least = 1;
  double most = 1;
};
constexpr std::array worths{Worth{"USD", 1, 1},
                            Worth{"EUR", 0.9, 1.3},
                            Worth{"GBP", 1, 1.6},
                            Worth{"CHF", 0.9, 1.3},
                            Worth{"CAD", 0.65, 0.9},
                            Worth{"AUD", 0.55, 0.85},
                            Worth{"SGD", 0.65, 0.85},
                            Worth{"CNY", 0.13, 0.17},
                            Worth{"INR", 0.011, 0.017},
                            Worth{"JPY", 0.006, 0.011},
                            Worth{"KRW", 0.0006, 0.001}};

const Worth* worth_of(std::string_view currency) {
  const auto* const found = std::find_if(
      worths.begin(), worths.end(), [&](const Worth& worth) { return worth.currency == currency; });
  return found == worths.end() ? nullptr : found;
}

// One price book's "A100 80GB" is another's "A100-80GB".
std::string key_of(const std::string& gpu, const std::string& currency) {
  std::string key;
  for (const char c : gpu) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      key += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  return key + " " + currency;
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
      const auto& currency = offer.price_per_hour.currency();
      auto& range =
          of_one_.try_emplace(key_of(offer.gpu, currency), Range{*price, *price, currency})
              .first->second;
      range.least = std::min(range.least, *price);
      range.most = std::max(range.most, *price);
    }
  }
}

const UsualPrices::Range* UsualPrices::range_of(const std::string& gpu,
                                                const std::string& currency) const {
  const auto found = of_one_.find(key_of(gpu, currency));
  return found == of_one_.end() ? nullptr : &found->second;
}

std::string UsualPrices::doubt(const Offer& offer) const {
  const auto& currency = offer.price_per_hour.currency();
  const auto* range = range_of(offer.gpu, currency);
  const auto* worth = range != nullptr ? worth_of("USD") : worth_of(currency);
  range = range != nullptr ? range : range_of(offer.gpu, "USD");
  const auto price = price_of_one(offer);
  if (range == nullptr || worth == nullptr || !price) {
    return "";
  }
  const bool cheap = offer.market != Market::spot &&  // spot may be
                     *price * worth->most < range->least / absurd_ratio;
  const bool dear = *price * worth->least > range->most * absurd_ratio;
  return cheap || dear
             ? fmt::format(
                   "{} is {} an hour for one {}, which is sold for {} to {}{}: is the unit "
                   "or the period another?",
                   price_as_told(offer),
                   amount(*price),
                   offer.gpu.empty() ? "vCPU" : offer.gpu,
                   amount(range->least),
                   amount(range->most),
                   range->currency == currency ? "" : " " + range->currency)
             : "";
}

}  // namespace rightsize
