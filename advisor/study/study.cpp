#include "advisor/study/study.h"

#include "advisor/candidate/constraint.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

// The cheapest offer of that machine in a market, nullptr where it is not sold so.
const Offer* cheapest_in(const Query& query,
                         const Catalog& catalog,
                         const Option& option,
                         Market market,
                         bool by_month) {
  Query anyhow = query;
  anyhow.markets = {market};
  const OfferConstraints constraints(anyhow);
  const Offer* cheapest = nullptr;
  for (const auto& offer : catalog.offers()) {
    if (offer.provider == option.provider && offer.instance == option.instance &&
        offer.cpu == option.cpu && offer.market == market && is_monthly(offer) == by_month &&
        constraints.in_scope(offer) &&
        offer.price_per_hour.currency() == option.price_per_hour.currency() &&
        (cheapest == nullptr || offer.price_per_hour < cheapest->price_per_hour)) {
      cheapest = &offer;
    }
  }
  return cheapest;
}

std::vector<MarketPrice> markets_of(const Query& query,
                                    const Catalog& catalog,
                                    const Option& option) {
  std::vector<MarketPrice> prices;
  if (option.own) {  // it is in no market
    return prices;
  }
  for (const auto market : all_markets) {
    for (const bool by_month : {false, true}) {
      if (const auto* cheapest = cheapest_in(query, catalog, option, market, by_month)) {
        prices.push_back({market,
                          cheapest->region,
                          cheapest->price_per_hour.approximate(),
                          cheapest->price_per_hour.currency(),
                          cheapest->as_of,
                          by_month});
      }
    }
  }
  return prices;
}

}  // namespace

std::optional<Study> study(const Recommendation& answer,
                           const Evidence& evidence,
                           Estimator& estimator,
                           bool flips) {
  if (!answer.chosen) {
    return std::nullopt;
  }
  const auto& query = answer.query;
  const auto& chosen = *answer.chosen;
  auto name = name_of(chosen);  // the very offer
  name.place = chosen.region.empty() ? chosen.provider : chosen.provider + "/" + chosen.region;
  Appraiser appraiser(query, evidence);
  const auto appraisal = appraiser.appraise(name);
  Study result;
  result.responses =
      responses(model_for(query, evidence, appraisal.candidate), appraisal, query.epochs);
  if (flips) {
    result.sensitivities = sensitivities(query, evidence, appraisal.option);
  }
  result.swings = swings(query, evidence, appraisal, result.sensitivities);
  result.markets = markets_of(query, evidence.catalog, chosen);
  if (!chosen.gpu.empty() && !query.serves()) {  // a service grows by machines
    const auto can_do = [&](const Offer& offer) { return appraiser.appraise(offer).has_value(); };
    result.scaling = scaling_of(estimator,
                                query,
                                evidence.catalog,
                                *appraisal.candidate.offer,
                                chosen.batch_per_gpu,
                                can_do);
  }
  return result;
}

}  // namespace rightsize
