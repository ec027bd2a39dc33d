#include "advisor/candidate/experts_hint.h"

#include <fmt/format.h>

#include "kernels/work.h"

namespace rightsize {
namespace {

// Another program has to be set up for it, and the law of divided experts is the less certain one
// (expert_log_sd).
constexpr double worth_saying = 1.25;

}  // namespace

std::string experts_hint(const GpuRates& rates,
                         const NetworkFacts& facts,
                         const AcceleratorQuery& query,
                         const AcceleratorRate& rate) {
  const bool gathers = rate.verdict == Verdict::ok && rate.way.gathers();
  if (!has_backward(query.phase) || !gathers || query.expert_parallel > 1 ||
      !has_experts(facts.network)) {
    return "";
  }
  auto asked = query;
  int best = 1;
  double most = worth_saying * rate.items_per_s;
  const int gpus = query.gpus_per_node * query.nodes;
  for (asked.expert_parallel = 2; asked.expert_parallel <= gpus; asked.expert_parallel *= 2) {
    const auto divided = accelerator_rate(rates, facts, asked);
    if (divided.verdict == Verdict::ok && divided.items_per_s > most) {
      best = asked.expert_parallel;
      most = divided.items_per_s;
    }
  }
  return best == 1 ? ""
                   : fmt::format(
                         "every GPU gathers all experts of a layer, of which a token takes few: "
                         "divided among {} of them (--expert-parallel {}, expert_parallel in a job "
                         "file) the step is ~{:.1f} times as fast",
                         best,
                         best,
                         most / rate.items_per_s);
}

}  // namespace rightsize
