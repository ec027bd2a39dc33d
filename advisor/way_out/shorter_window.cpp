#include "advisor/way_out/shorter_window.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "pricing/place.h"

namespace rightsize {

std::string shorter_window(const Evidence& evidence, const Recommendation& answer) {
  constexpr double good_part = 0.25;
  constexpr double worth_saying = 0.8;
  const auto& query = answer.query;
  if (!query.service || query.service->max_delay_s < good_part * query.service->p99_s) {
    return "";
  }
  Query sooner = query;
  sooner.service->max_delay_s = std::min(query.service->max_delay_s, query.service->p99_s) / 5;
  SearchOptions one;
  one.max_options = 1;
  one.draws = 1;
  const auto instead = search(sooner, evidence, one).chosen;
  if (!instead ||
      (answer.chosen && instead->cost.value > worth_saying * answer.chosen->cost.value)) {
    return "";
  }
  const double left_s = query.service->p99_s - query.service->max_delay_s;
  return fmt::format(
      "max_delay = {:g}ms {} p99 = {:g}ms: with max_delay = {:g}ms {} x {} ({}) would do{}",
      1e3 * query.service->max_delay_s,
      left_s > 0 ? fmt::format("leaves {:g}ms of", 1e3 * left_s) : "is no less than",
      1e3 * query.service->p99_s,
      1e3 * sooner.service->max_delay_s,
      instead->nodes,
      with_market(instead->instance, *instead),
      place_name(instead->provider, instead->region),
      answer.chosen ? fmt::format(" for {:.2g} % of the cost",
                                  100 * instead->cost.value / answer.chosen->cost.value)
                    : "");
}

}  // namespace rightsize
