#include "advisor/way_out/shorter_window.h"

#include <algorithm>

#include <fmt/format.h>

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
  return fmt::format(
      "requests wait up to {:g}ms for a minibatch to fill, of the {:g}ms in which they "
      "are to be answered: with max_delay = {:g}ms {} x {} would do{}",
      1e3 * query.service->max_delay_s,
      1e3 * query.service->p99_s,
      1e3 * sooner.service->max_delay_s,
      instead->nodes,
      instead->instance,
      answer.chosen ? fmt::format(" for {:.2g} % of the cost",
                                  100 * instead->cost.value / answer.chosen->cost.value)
                    : "");
}

}  // namespace rightsize
