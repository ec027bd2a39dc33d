#include "advisor/low_price_warnings.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "pricing/on_prem.h"
#include "pricing/rival_prices.h"
#include "pricing/spot_prices.h"

namespace rightsize {
namespace {

class LowPrices {
 public:
  explicit LowPrices(const Catalog& catalog)
      : catalog_(catalog), spot_(catalog.offers()), rivals_(catalog.offers()) {}

  [[nodiscard]] std::string doubt(const Offer& offer) const {
    if (is_own(offer)) {
      return "";
    }
    auto words = spot_.doubt(offer) + rivals_.doubt(offer);
    return words.empty() ? spot_.doubt_by_demand(offer) : words;
  }

  // An option knows where it is sold, and not by which row.
  [[nodiscard]] bool is_doubted(const Option& option) const {
    const auto offers = catalog_.offers();
    return std::any_of(offers.begin(), offers.end(), [&](const Offer& offer) {
      return offer.instance == option.instance && offer.provider == option.provider &&
             offer.region == option.region && offer.market == option.market &&
             !doubt(offer).empty();
    });
  }

 private:
  const Catalog& catalog_;
  SpotPrices spot_;
  RivalPrices rivals_;
};

// The first in order that does not rest on such a price.
std::string without_words(const LowPrices& prices, const Recommendation& answer) {
  const auto next =
      std::find_if(answer.options.begin(), answer.options.end(), [&](const Option& option) {
        return option.satisfies && !prices.is_doubted(option);
      });
  if (next == answer.options.end()) {
    return "";
  }
  return fmt::format("; without such prices {}{} is first, ~{:.{}f} {}{}",
                     full_name(*next),
                     next->region.empty() ? "" : " in " + next->region,
                     next->cost.value,
                     next->cost.value < 1000 ? 2 : 0,
                     next->cost.unit,
                     answer.query.serves() ? " a month" : "");
}

}  // namespace

void warn_of_low_price(const Catalog& catalog, const Offer& chosen, Recommendation& answer) {
  const LowPrices prices(catalog);
  if (const auto doubt = prices.doubt(chosen); !doubt.empty()) {
    answer.warnings.push_back(fmt::format("{}{}: {}{}",
                                          chosen.instance,
                                          chosen.region.empty() ? "" : " in " + chosen.region,
                                          doubt,
                                          without_words(prices, answer)));
  }
}

}  // namespace rightsize
