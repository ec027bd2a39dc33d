#include "advisor/way_out/next_own_count.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/candidate/own_stock.h"

namespace rightsize {

void add_own_count_steps(const Evidence& evidence,
                         const Recommendation& answer,
                         const std::vector<const Offer*>& machines,
                         std::vector<std::string>& steps) {
  const auto& query = answer.query;
  const bool refused =
      std::any_of(answer.rejected.begin(), answer.rejected.end(), [](const Rejection& one) {
        return one.lacking == Lacking::machines;
      });
  for (const auto* machine : machines) {
    if (!machine->count || (!refused && *machine->count >= query.nodes_max)) {
      continue;
    }
    const auto catalog = with_count(evidence.catalog, machine->instance, std::nullopt);
    const Evidence more{evidence.model, catalog, evidence.gpu_rates, evidence.cpu_speeds};
    const auto then = search(query, more, {});
    if (then.chosen && then.chosen->own && then.chosen->instance == machine->instance) {
      const int groups =
          query.serves() ? 1 : at_once(then.chosen->hours.value, query.runs_per_month);
      steps.push_back(fmt::format("of {} there {} {}, and {} would do: count={} of --on-prem",
                                  machine->instance,
                                  *machine->count == 1 ? "is" : "are",
                                  *machine->count,
                                  then.chosen->nodes * groups,
                                  then.chosen->nodes * groups));
    }
  }
}

}  // namespace rightsize
