#include "advisor/way_out/next_token_latency.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/look_at.h"
#include "advisor/query/latency_words.h"
#include "advisor/tokens/token_least.h"
#include "advisor/tokens/token_slo.h"
#include "advisor/tokens/weights_taken.h"
#include "advisor/way_out/tried_limits.h"
#include "models/laws/decode_software.h"

namespace rightsize {
namespace {

// The machine that comes nearest to the limits.
struct Nearest {
  const Offer* offer = nullptr;
  double missed = HUGE_VAL;  // how many times the limit that it misses most; alone, unhurried
  std::optional<TokenServer> tokens;
};

// One sequence now and then, as slow as the confidence allows for: near enough to tell machines
// apart, and less than what advise asks of one (token_least.h).
DecodeLatency alone(const Query& query, const TokenServer& server) {
  TokenService rarely = *query.tokens;
  rarely.sequences_per_s = 1e-6;
  return token_point(rarely, server, 1, confident_factor(server, query.confidence)).latency;
}

// 0 of a limit that is not set, and of the pace of a single token.
double times_the_limit(double least_s, double limit_s) {
  return std::isfinite(limit_s) && std::isfinite(least_s) ? least_s / limit_s : 0;
}

// How many times the limit that is missed most.
double missed_by(const DecodeLimits& least, const DecodeLimits& limits) {
  return std::max(times_the_limit(least.first_token_s, limits.first_token_s),
                  times_the_limit(least.token_s, limits.token_s));
}

Nearest nearest_writer(const Evidence& evidence,
                       const Query& query,
                       const std::vector<const Offer*>& machines) {
  const auto& limits = query.tokens->limits;
  Nearest nearest;
  look_at(evidence, query, machines, [&](const Candidate& candidate) {
    const auto least = alone(query, *candidate.tokens);
    const double missed = missed_by({least.first_token_p99_s, least.token_p99_s}, limits);
    if (missed < nearest.missed) {
      nearest = {candidate.offer, missed, candidate.tokens};
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

// Why none of the machines that have GPUs reads the weights, in the first one's words; empty where
// one does.
std::string why_unread_here(const Evidence& evidence,
                            const Query& query,
                            const std::vector<const Offer*>& machines) {
  std::string first;
  const auto weights = weights_taken(*query.tokens, query.network);
  for (const auto* machine : machines) {
    const auto* gpu = machine->gpus < 1 ? nullptr : evidence.gpu_rates.find(machine->gpu);
    if (gpu != nullptr) {
      const auto reason = why_unread(query.tokens->software, weights, *gpu);
      if (reason.empty()) {
        return "";
      }
      first = first.empty() ? reason : first;
    }
  }
  return first;
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
  if (std::none_of(machines.begin(), machines.end(), [&](const Offer* one) {
        return one->gpus >= 1 && evidence.gpu_rates.find(one->gpu) != nullptr;
      })) {
    steps.emplace_back(
        "no GPU of these machines is one that is known here: `rightsize gpus` lists those that "
        "are, by the names that price tables are to have");
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
  const auto unread = why_unread_here(evidence, query, machines);
  if (best.offer == nullptr) {
    steps.push_back(unread.empty()
                        ? "the weights and the caches of a sequence fit no machine here, in 4 bits "
                          "neither: ask for machines of more or larger GPUs, a smaller network, or "
                          "shorter sequences"
                        : unread +
                              ": name another software under [service], or widen --gpus, "
                              "--allow or --infra");
    return;
  }
  steps.push_back(fmt::format(
      "{}; with weights = \"{}\" under [job] they {}{}, such as {}/{}",
      unread.empty() ? "the weights and the caches of a sequence fit no machine here" : unread,
      to_string(weights),
      unread.empty() ? "fit" : "are read and fit",
      best.in_time ? "" : ", though none is in time then",
      best.offer->provider,
      best.offer->instance));
}

// As fewest_that_answer().
int fewest_that_write(const Evidence& evidence, const Query& query, const Offer& machine) {
  int fewest = 0;
  look_at(evidence, query, {&machine}, [&](const Candidate& candidate) {
    const auto fleet =
        size_token_fleet(*query.tokens, *candidate.tokens, query.confidence, normal_90);
    if (any_number_writes(fleet) && (fewest == 0 || fleet.machines < fewest)) {
      fewest = fleet.machines;
    }
  });
  return fewest;
}

// Each limit at least so many times the least that the machine keeps to.
TokenService widened(TokenService service, const DecodeLimits& least, double factor) {
  const auto widen = [&](double& limit, double least_s) {
    limit = std::isfinite(limit) && least_s * factor > limit ? rounded_up(least_s * factor) : limit;
  };
  widen(service.limits.first_token_s, least.first_token_s);
  widen(service.limits.token_s, least.token_s);
  return service;
}

}  // namespace

void add_token_step(const Evidence& evidence,
                    const Query& query,
                    const std::vector<const Offer*>& machines,
                    std::vector<std::string>& steps) {
  const auto nearest = nearest_writer(evidence, query, machines);
  if (nearest.offer == nullptr) {
    add_weights_step(evidence, query, machines, steps);
    return;
  }
  const auto least = least_limits(*query.tokens, *nearest.tokens, query.confidence, normal_90);
  if (missed_by(least, query.tokens->limits) <= 1) {
    return;
  }
  std::vector<Query> tried;
  std::vector<int> counts;
  for (const double factor : tried_factors) {
    tried.push_back(query);
    tried.back().tokens = widened(*query.tokens, least, factor);
    counts.push_back(fewest_that_write(evidence, tried.back(), *nearest.offer));
  }
  if (const int named = first_sensible(counts); named >= 0) {
    const auto at = static_cast<std::size_t>(named);
    steps.push_back(fmt::format(
        "no machine here writes within {}; the nearest, {}/{}, needs {} to the first "
        "token{} at best: {} is within its reach, {}",
        token_slo_words(query.tokens->limits),
        nearest.offer->provider,
        nearest.offer->instance,
        latency_text(least.first_token_s),
        std::isfinite(least.token_s) ? fmt::format(" and {} a token", latency_text(least.token_s))
                                     : "",
        token_limit_flags(tried[at].tokens->limits, query.own_limit_flags),
        of_them(counts[at])));
  }
}

}  // namespace rightsize
