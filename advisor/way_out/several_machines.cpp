#include "advisor/way_out/several_machines.h"

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

constexpr int tried_machines = 8;

// Of one machine, on whose time a limit lies, and no exchange.
bool could_share(const Recommendation& answer) {
  const auto& query = answer.query;
  return query.deadline_s && query.nodes_max == 1 && !query.serves() &&
         query.phase != Phase::preprocess && !has_backward(query.phase);
}

}  // namespace

std::string several_instead(const Evidence& evidence, const Recommendation& answer) {
  if (!could_share(answer)) {
    return "";
  }
  auto open = answer.query;
  open.nodes_max = tried_machines;
  const auto found = search(open, evidence, {.max_options = 1, .draws = 1});
  constexpr double clearly = 0.9;  // of the cost
  if (!found.chosen || found.chosen->nodes == 1) {
    return "";
  }
  const auto& several = *found.chosen;
  const double saved = answer.chosen ? 1 - several.cost.value / answer.chosen->cost.value : 1;
  if (saved < 1 - clearly) {
    return "";
  }
  return fmt::format(
      "{} x {} share the items, which need nothing of one another, for ~{:.2f} {} in ~{:.3g} h{}: "
      "--nodes-max {}",
      several.nodes,
      full_name(several),
      several.cost.value,
      several.cost.unit,
      several.hours.value,
      answer.chosen ? fmt::format(", {:.0f} % less", 100 * saved) : "",
      several.nodes);
}

}  // namespace rightsize
