#include "advisor/way_out/next_latency.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/judge/judge.h"
#include "advisor/tokens/token_slo.h"

namespace rightsize {
namespace {

// Beyond what a machine does alone there is to be room for a load.
constexpr double tried_factors[] = {1.1, 1.25, 1.5, 2, 3};

// A limit that is met with idle machines alone takes any number of them: what is named needs no
// more than so many times the machines of the widest limit that is tried.
constexpr int most_of_widest = 2;

// The first of the limits that takes no more machines than that; -1: none is met. `machines`: 0
// where a limit is met by no number.
int first_sensible(const std::vector<int>& machines) {
  const int widest = machines.empty() ? 0 : machines.back();
  for (std::size_t i = 0; i < machines.size(); ++i) {
    if (machines[i] > 0 && (widest == 0 || machines[i] <= most_of_widest * widest)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::string of_them(int machines) {
  return machines == 1 ? "by one of it" : fmt::format("by {} of it", machines);
}

// Two digits, upwards: what is named has to be enough.
double rounded_up(double seconds) {
  const double unit = std::pow(10, std::floor(std::log10(seconds)) - 1);
  return std::ceil(seconds / unit) * unit;
}

// Of what a machine does, three digits.
std::string about(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

// The machine that comes nearest to the limits.
struct Nearest {
  const Offer* offer = nullptr;
  double missed = HUGE_VAL;  // how many times the limit that it misses most; alone, unhurried
  std::optional<Server> server;
  std::optional<TokenServer> tokens;
};

CandidateMaker maker_of(const Evidence& evidence, const Query& query) {
  return {query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu()};
}

template <typename Look>
void look_at(const Evidence& evidence,
             const Query& query,
             const std::vector<const Offer*>& machines,
             Look look) {
  auto maker = maker_of(evidence, query);
  std::string reason;
  for (const auto* machine : machines) {
    for (const auto& candidate : maker.all(*machine, reason).made) {
      look(candidate);
    }
  }
}

Nearest nearest_server(const Evidence& evidence,
                       const Query& query,
                       const std::vector<const Offer*>& machines) {
  Judge judge(query, evidence);
  Nearest nearest;
  look_at(evidence, query, machines, [&](const Candidate& candidate) {
    std::string reason;
    const auto server = judge.server(candidate, reason);
    const double missed = server
                              ? least_p99_s(*query.service, *server, query.confidence, normal_90) /
                                    query.service->p99_s
                              : HUGE_VAL;
    if (missed < nearest.missed) {
      nearest = {candidate.offer, missed, server, std::nullopt};
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
  constexpr const char* engine = "TensorRT";
  if (!query.framework.empty()) {
    return;
  }
  Query by_engine = query;
  by_engine.framework = engine;
  const auto nearest = nearest_server(evidence, by_engine, machines);
  if (nearest.offer != nullptr &&
      any_number_answers(
          size_fleet(*query.service, *nearest.server, query.confidence, normal_90))) {
    steps.push_back(fmt::format(
        "with no framework named the speed is frameworks' own, kernel by kernel; an engine answers "
        "sooner: "
        "--framework {}, by which {}/{} takes {} at best",
        engine,
        nearest.offer->provider,
        nearest.offer->instance,
        about(nearest.missed * query.service->p99_s)));
  }
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
  std::vector<Service> tried;
  std::vector<int> counts;
  for (const double factor : tried_factors) {
    tried.push_back(*query.service);
    tried.back().p99_s = rounded_up(least * factor);
    const auto fleet = size_fleet(tried.back(), *nearest.server, query.confidence, normal_90);
    counts.push_back(any_number_answers(fleet) ? fleet.machines : 0);
  }
  if (const int named = first_sensible(counts); named >= 0) {
    const auto at = static_cast<std::size_t>(named);
    steps.push_back(
        fmt::format("no machine here answers within {}; the soonest, {}/{}, takes {} at best: "
                    "--slo p99={} is within its reach, {}",
                    limit_words(query.service->p99_s),
                    nearest.offer->provider,
                    nearest.offer->instance,
                    about(least),
                    limit_words(tried[at].p99_s),
                    of_them(counts[at])));
  }
}

// One sequence now and then, as slow as the confidence allows for.
DecodeLatency alone(const Query& query, const TokenServer& server) {
  TokenService rarely = *query.tokens;
  rarely.sequences_per_s = 1e-6;
  return token_point(rarely, server, 1, confident_factor(server, query.confidence)).latency;
}

// 0 of a limit that is not set, and of the pace of a single token.
double times_the_limit(double least_s, double limit_s) {
  return std::isfinite(limit_s) && std::isfinite(least_s) ? least_s / limit_s : 0;
}

Nearest nearest_writer(const Evidence& evidence,
                       const Query& query,
                       const std::vector<const Offer*>& machines) {
  const auto& limits = query.tokens->limits;
  Nearest nearest;
  look_at(evidence, query, machines, [&](const Candidate& candidate) {
    const auto least = alone(query, *candidate.tokens);
    const double missed = std::max(times_the_limit(least.first_token_p99_s, limits.first_token_s),
                                   times_the_limit(least.token_p99_s, limits.token_s));
    if (missed < nearest.missed) {
      nearest = {candidate.offer, missed, std::nullopt, candidate.tokens};
    }
  });
  return nearest;
}

bool writes_in_time(const Query& query, const Candidate& candidate) {
  return any_number_writes(
      size_token_fleet(*query.tokens, *candidate.tokens, query.confidence, normal_90));
}

// The machine that holds such weights, one that is in time before others; nullptr: none does.
struct Holder {
  const Offer* offer = nullptr;
  bool in_time = false;
};

Holder holder_of(const Evidence& evidence,
                 const Query& query,
                 const std::vector<const Offer*>& machines) {
  Holder holder;
  look_at(evidence, query, machines, [&](const Candidate& candidate) {
    if (holder.offer == nullptr || (!holder.in_time && writes_in_time(query, candidate))) {
      holder = {candidate.offer, writes_in_time(query, candidate)};
    }
  });
  return holder;
}

// The first of the narrower forms in which the weights fit some machine, and are in time if any is.
void add_weights_step(const Evidence& evidence,
                      const Query& query,
                      const std::vector<const Offer*>& machines,
                      std::vector<std::string>& steps) {
  if (std::none_of(
          machines.begin(), machines.end(), [](const Offer* one) { return one->gpus >= 1; })) {
    steps.emplace_back(
        "none of these machines has a GPU, and writing tokens is modelled on GPUs: widen --gpus, "
        "--allow or --infra");
    return;
  }
  Holder best;
  Query narrower = query;
  auto weights = WeightFormat::own;
  for (const auto format : {WeightFormat::fp8, WeightFormat::int4}) {
    narrower.tokens->weights = format;
    const auto holder = holder_of(evidence, narrower, machines);
    if (holder.offer != nullptr && (best.offer == nullptr || (holder.in_time && !best.in_time))) {
      best = holder;
      weights = format;
    }
  }
  steps.push_back(
      best.offer == nullptr
          ? "the weights and the caches of a sequence fit no machine here, in 4 bits neither: ask "
            "for machines of more or larger GPUs, a smaller network, or shorter sequences"
          : fmt::format(
                "the weights and the caches of a sequence fit no machine here; with weights "
                "= \"{}\" under [job] they fit{}, such as {}/{}",
                to_string(weights),
                best.in_time ? "" : ", though none is in time then",
                best.offer->provider,
                best.offer->instance));
}

// Each limit at least so many times what a sequence alone takes.
TokenService widened(TokenService service, const DecodeLatency& least, double factor) {
  const auto widen = [&](double& limit, double least_s) {
    limit = std::isfinite(limit) && least_s * factor > limit ? rounded_up(least_s * factor) : limit;
  };
  widen(service.limits.first_token_s, least.first_token_p99_s);
  widen(service.limits.token_s, least.token_p99_s);
  return service;
}

void add_token_step(const Evidence& evidence,
                    const Query& query,
                    const std::vector<const Offer*>& machines,
                    std::vector<std::string>& steps) {
  const auto nearest = nearest_writer(evidence, query, machines);
  if (nearest.offer == nullptr) {
    add_weights_step(evidence, query, machines, steps);
    return;
  }
  if (nearest.missed <= 1) {
    return;
  }
  const auto least = alone(query, *nearest.tokens);
  std::vector<TokenService> tried;
  std::vector<int> counts;
  for (const double factor : tried_factors) {
    tried.push_back(widened(*query.tokens, least, factor));
    const auto fleet = size_token_fleet(tried.back(), *nearest.tokens, query.confidence, normal_90);
    counts.push_back(any_number_writes(fleet) ? fleet.machines : 0);
  }
  if (const int named = first_sensible(counts); named >= 0) {
    const auto at = static_cast<std::size_t>(named);
    steps.push_back(fmt::format(
        "no machine here writes within {}; the nearest, {}/{}, needs {} to the first "
        "token{} at best: {} is within its reach, {}",
        token_slo_words(query.tokens->limits),
        nearest.offer->provider,
        nearest.offer->instance,
        about(least.first_token_p99_s),
        std::isfinite(least.token_p99_s) ? fmt::format(" and {} a token", about(least.token_p99_s))
                                         : "",
        token_limit_flags(tried[at].limits, query.own_limit_flags),
        of_them(counts[at])));
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
