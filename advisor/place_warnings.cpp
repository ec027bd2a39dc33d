#include "advisor/place_warnings.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/constraint.h"

namespace rightsize {

void warn_of_places(const Catalog& catalog, Recommendation& answer) {
  const auto& query = answer.query;
  if (query.infra.size() < 2) {  // of one alone there would be no answer
    return;
  }
  std::vector<std::string_view> markets;
  for (const auto market : query.markets) {
    markets.push_back(to_string(market));
  }
  for (const auto& place : query.infra) {
    Query there = query;
    there.infra = {place};
    const OfferConstraints constraints(there);
    const auto offers = catalog.offers();
    if (std::none_of(offers.begin(), offers.end(), [&](const Offer& offer) {
          return constraints.in_scope(offer);
        })) {
      answer.warnings.push_back(
          fmt::format("nothing of {} is compared: no offer there is {} of the book {}",
                      place,
                      fmt::join(markets, " or "),
                      query.book));
    }
  }
}

}  // namespace rightsize
