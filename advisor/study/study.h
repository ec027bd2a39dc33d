// What a report asks beyond the answer, all of it about the chosen option: how it answers to its
// resources, what moves its cost, what more GPUs would bring, and what other markets ask for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/study/response.h"
#include "advisor/study/scaling.h"
#include "advisor/study/tornado.h"

namespace rightsize {

// The cheapest offer of the same instance in one market.
struct MarketPrice {
  Market market = Market::on_demand;
  std::string region;
  double per_hour = 0;
  std::string currency;
  std::string as_of;
  bool by_month = false;  // rented by whole months
};

struct Study {
  std::vector<Response> responses;
  std::vector<Swing> swings;
  std::vector<Sensitivity> sensitivities;
  std::vector<ScalingStep> scaling;
  std::vector<MarketPrice> markets;  // of those that have it; none of a machine of one's own
};

// nullopt where nothing was chosen: there is no option to study then. Without `flips` nobody asks
// where the choice changes, which takes seconds: the whole catalogue is judged for every value.
[[nodiscard]] std::optional<Study> study(const Recommendation& answer,
                                         const Evidence& evidence,
                                         Estimator& estimator,
                                         bool flips = true);

}  // namespace rightsize
