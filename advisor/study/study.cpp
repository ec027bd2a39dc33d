#include "advisor/study/study.h"

#include "advisor/candidate/constraint.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

std::vector<MarketPrice> markets_of(const Query& query,
                                    const Catalog& catalog,
                                    const Option& option,
                                    bool monthly) {
  std::vector<MarketPrice> prices;
  for (const auto market : {Market::on_demand, Market::spot}) {
    Query anyhow = query;
    anyhow.markets = {market};
    const OfferConstraints constraints(anyhow);
    const Offer* cheapest = nullptr;
    for (const auto& offer : catalog.offers()) {
      if (offer.provider == option.provider && offer.instance == option.instance &&
          offer.market == market && constraints.in_scope(offer) && is_monthly(offer) == monthly &&
          offer.price_per_hour.currency() == option.price_per_hour.currency() &&
          (cheapest == nullptr || offer.price_per_hour < cheapest->price_per_hour)) {
        cheapest = &offer;
      }
    }
    if (cheapest != nullptr) {
      prices.push_back({market,
                        cheapest->region,
                        cheapest->price_per_hour.approximate(),
                        cheapest->price_per_hour.currency(),
                        cheapest->as_of});
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
  result.responses = responses(model_for(query, evidence, appraisal.candidate), appraisal);
  if (flips) {
    result.sensitivities = sensitivities(query, evidence, appraisal.option);
  }
  result.swings = swings(query, evidence, appraisal, result.sensitivities);
  result.markets =
      markets_of(query, evidence.catalog, chosen, is_monthly(*appraisal.candidate.offer));
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
