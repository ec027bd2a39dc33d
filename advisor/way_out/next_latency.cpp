#include "advisor/way_out/next_latency.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/look_at.h"
#include "advisor/judge/judge.h"
#include "advisor/query/latency_words.h"
#include "advisor/way_out/engine_instead.h"
#include "advisor/way_out/next_token_latency.h"
#include "advisor/way_out/tried_limits.h"

namespace rightsize {
namespace {

// The machine that comes nearest to the limit.
struct Nearest {
  const Offer* offer = nullptr;
  double missed = HUGE_VAL;  // how many times the limit it takes; alone, unhurried
  std::optional<Server> server;
};

Nearest nearest_server(const Evidence& evidence,
                       const Query& query,
                       const std::vector<const Offer*>& machines) {
  Judge judge(query, evidence);
  Nearest nearest;
  look_at(evidence, query, machines, [&](const Candidate& candidate) {
    Refusal refusal;
    const auto server = judge.server(candidate, refusal);
    const double missed = server
                              ? least_p99_s(*query.service, *server, query.confidence, normal_90) /
                                    query.service->p99_s
                              : HUGE_VAL;
    if (missed < nearest.missed) {
      nearest = {candidate.offer, missed, server};
    }
  });
  return nearest;
}

// Programs wait for their host at each kernel, engines do not: where nobody says whose software
// runs, that may be what is in the way.
void add_engine_step(const Evidence& evidence,
                     const Query& query,
                     const std::vector<const Offer*>& machines,
                     std::vector<std::string>& steps) {
  if (!query.framework.empty()) {
    return;
  }
  Query by_engine = query;
  by_engine.framework = tried_engine;
  const auto nearest = nearest_server(evidence, by_engine, machines);
  if (nearest.offer != nullptr &&
      any_number_answers(
          size_fleet(*query.service, *nearest.server, query.confidence, normal_90))) {
    steps.push_back(fmt::format(
        "with no framework named the speed is frameworks' own, kernel by kernel; an engine answers "
        "sooner: --framework {}, by which {}/{} answers within {} with {:g} % confidence",
        tried_engine,
        nearest.offer->provider,
        nearest.offer->instance,
        latency_text(nearest.missed * query.service->p99_s),
        100 * query.confidence));
  }
}

// Of that machine as many as answer in time, by the minibatch that takes the fewest; 0: no number.
int fewest_that_answer(const Evidence& evidence, const Query& query, const Offer& machine) {
  Judge judge(query, evidence);
  int fewest = 0;
  look_at(evidence, query, {&machine}, [&](const Candidate& candidate) {
    Refusal refusal;
    const auto server = judge.server(candidate, refusal);
    if (!server) {
      return;
    }
    const auto fleet = size_fleet(*query.service, *server, query.confidence, normal_90);
    if (any_number_answers(fleet) && (fewest == 0 || fleet.machines < fewest)) {
      fewest = fleet.machines;
    }
  });
  return fewest;
}

void add_request_step(const Evidence& evidence,
                      const Query& query,
                      const std::vector<const Offer*>& machines,
                      std::vector<std::string>& steps) {
  const auto nearest = nearest_server(evidence, query, machines);
  if (nearest.offer == nullptr || nearest.missed <= 1) {
    return;
  }
  add_engine_step(evidence, query, machines, steps);
  const double least = nearest.missed * query.service->p99_s;
  std::vector<Query> tried;
  std::vector<int> counts;
  for (const double factor : tried_factors) {
    tried.push_back(query);
    tried.back().service->p99_s = rounded_up(least * factor);
    counts.push_back(fewest_that_answer(evidence, tried.back(), *nearest.offer));
  }
  if (const int named = first_sensible(counts); named >= 0) {
    const auto at = static_cast<std::size_t>(named);
    const auto soonest = static_cast<std::size_t>(
        std::find_if(counts.begin(), counts.end(), [](int count) { return count > 0; }) -
        counts.begin());
    const auto sooner = soonest == at ? ""
                                      : fmt::format(", and p99={} {}",
                                                    limit_words(tried[soonest].service->p99_s),
                                                    of_them(counts[soonest]));
    steps.push_back(
        fmt::format("no machine here answers within {} with {:g} % confidence; the soonest, {}/{}, "
                    "does within {}: --slo p99={} is within its reach, {}{}",
                    limit_words(query.service->p99_s),
                    100 * query.confidence,
                    nearest.offer->provider,
                    nearest.offer->instance,
                    latency_text(least),
                    limit_words(tried[at].service->p99_s),
                    of_them(counts[at]),
                    sooner));
  }
}

}  // namespace

void add_latency_steps(const Evidence& evidence,
                       const Query& query,
                       const std::vector<const Offer*>& machines,
                       std::vector<std::string>& steps) {
  query.tokens ? add_token_step(evidence, query, machines, steps)
               : add_request_step(evidence, query, machines, steps);
}

}  // namespace rightsize
