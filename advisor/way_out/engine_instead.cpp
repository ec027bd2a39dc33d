#include "advisor/way_out/engine_instead.h"

#include <algorithm>

#include <fmt/format.h>

namespace rightsize {
namespace {

bool some_were_too_slow(const Recommendation& answer) {
  return std::any_of(answer.rejected.begin(), answer.rejected.end(), [](const Rejection& one) {
    return one.lacking == Lacking::speed;
  });
}

}  // namespace

std::string engine_instead(const Evidence& evidence, const Recommendation& answer) {
  constexpr double worth_saying = 0.5;
  const auto& query = answer.query;
  if (!answer.chosen || !query.service || !query.framework.empty() || !answer.chosen->gpu.empty() ||
      !some_were_too_slow(answer)) {
    return "";
  }
  Query by_engine = query;
  by_engine.framework = tried_engine;
  SearchOptions one;
  one.max_options = 1;
  one.draws = 1;
  const auto instead = search(by_engine, evidence, one).chosen;
  if (!instead || instead->gpu.empty() ||
      instead->cost.value > worth_saying * answer.chosen->cost.value) {
    return "";
  }
  return fmt::format(
      "GPUs were judged by frameworks, kernel by kernel, and many answer too late so; by an "
      "engine, --framework {}, {} x {} would do for {:.2g} % of the cost",
      tried_engine,
      instead->nodes,
      instead->instance,
      100 * instead->cost.value / answer.chosen->cost.value);
}

}  // namespace rightsize
