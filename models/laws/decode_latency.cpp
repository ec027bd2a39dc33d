#include "models/laws/decode_latency.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/laws/decode_replica.h"
#include "models/laws/picture_prompts.h"

namespace rightsize {
namespace {

constexpr double z_95 = 1.6448536269514722;
constexpr double z_99 = 2.3263478740408408;

// Of all together, limits aside.
double most_sequences_per_s(const DecodeReplicas& replicas, DecodeLoad lengths) {
  lengths.sequences_per_s = 0;
  return replicas.count * serve_decode(replicas.work, replicas.gpu, lengths).most_sequences_per_s;
}

}  // namespace

// Set to bench_decode_grid's root mean squares by hand; of no load the laws are exact.
namespace {

// What bursts add: they queue behind each other, and one that comes prolongs all that are written.
DecodeLatencySd bursts_log_sd(double burst, double share, double one) {
  const double together = 1 - 1 / burst;
  return {together * share * share * std::sqrt(std::sqrt(one)),
          together * std::sqrt(one) * (0.13 + 0.45 * std::min(1.0, share * std::sqrt(burst) / 2))};
}

}  // namespace

DecodeLatencySd decode_latency_log_sd(const DecodeReplicas& replicas, const DecodeLoad& load) {
  const double most = most_sequences_per_s(replicas, load);
  const double share = most > 0 ? std::min(1.0, load.sequences_per_s / most) : 1;
  const double one = 1.0 / replicas.count;
  const auto bursts = bursts_log_sd(load.burst, share, one);
  // Of bursts what comes now and then is no single sequence either.
  const double rare = load.burst > 1 ? 1 : std::min(1.0, share / 0.03);
  // Beside few, each that comes has more experts read.
  const double experts = replicas.work.expert_bytes > 0 ? 0.10 * std::exp(-2.5 * share) : 0;
  // Long prompts of few engines prolong iterations by chance, however evenly they come.
  const double engines = replicas.work.engines > 1 ? 0.08 + 0.12 * (1 - one) : 0;
  const double cube = share * share * share;
  const bool spread = load.prompt_stddev > 0 || load.output_stddev > 0;
  const double lengths =
      spread ? 0.05 + 0.10 * cube + 0.08 * std::max(0.0, load.outputs().cv - 1) : 0;
  return {rare * std::hypot(0.15 + 0.30 * share * share * (1 - one), bursts.first_token),
          rare * std::hypot(0.02 + 0.28 * cube * one,
                            std::hypot(experts, lengths),
                            std::hypot(engines, bursts.token))};
}

DecodeLatency decode_latency(const DecodeReplicas& replicas, const DecodeLoad& load) {
  DecodeLatency latency;
  const DecodeReplica replica(replicas, load);
  latency.joined = replica.joined();
  latency.prompt_s = replica.own_prompt_s();
  if (!replica.steady()) {
    return latency;
  }
  const auto first = replica.first_token();
  latency.first_token_p50_s = first.quantile(0.50);
  latency.first_token_p95_s = first.quantile(0.95);
  latency.first_token_p99_s = first.quantile(0.99);
  const auto token_s = [&](double z) {
    return load.output_tokens == 1 ? std::numeric_limits<double>::quiet_NaN()
                                   : replica.token_seconds(z);
  };
  latency.token_p50_s = token_s(0);
  latency.token_p95_s = token_s(z_95);
  latency.token_p99_s = token_s(z_99);
  return latency;
}

bool decodes_within(const DecodeReplicas& replicas,
                    const DecodeLoad& load,
                    const DecodeLimits& limits,
                    double law_deviations) {
  const DecodeReplica replica(replicas, load);
  if (!replica.steady()) {
    return false;
  }
  const auto sd = law_deviations == 0 ? DecodeLatencySd{} : decode_latency_log_sd(replicas, load);
  const double token_s = limits.token_s * std::exp(-law_deviations * sd.token);
  const double first_s = limits.first_token_s * std::exp(-law_deviations * sd.first_token);
  const bool paced = load.output_tokens == 1 || replica.token_seconds(z_99) <= token_s;
  return paced && (std::isinf(first_s) || replica.first_token().is_within(0.99, first_s));
}

DecodeTail decode_tail(const DecodeReplicas& replicas, const DecodeLoad& load) {
  DecodeTail tail;
  const DecodeReplica replica(replicas, load);
  tail.steady = replica.steady();
  if (tail.steady) {
    tail.first_token_s = replica.first_token().quantile(0.99);
    tail.token_s = load.output_tokens == 1 ? 0 : replica.token_seconds(z_99);
    tail.law_sd = decode_latency_log_sd(replicas, load);
  }
  return tail;
}

bool is_within(const DecodeTail& tail, const DecodeLimits& limits, double law_deviations) {
  const auto as_lucky = [&](double limit_s, double sd) {
    return limit_s * std::exp(-law_deviations * sd);
  };
  return tail.steady && tail.token_s <= as_lucky(limits.token_s, tail.law_sd.token) &&
         tail.first_token_s <= as_lucky(limits.first_token_s, tail.law_sd.first_token);
}

double largest_sequences_per_s(const DecodeReplicas& replicas,
                               const DecodeLoad& lengths,
                               const DecodeLimits& limits,
                               double law_deviations) {
  DecodeLoad load = lengths;
  const double most = most_sequences_per_s(replicas, lengths);
  load.sequences_per_s = most * 1e-6;
  const auto within = [&] { return decodes_within(replicas, load, limits, law_deviations); };
  if (!(most > 0) || !within()) {
    return 0;
  }
  double low = load.sequences_per_s;
  double high = fullest_load * most;
  constexpr int halvings = 24;
  for (int i = 0; i < halvings; ++i) {
    load.sequences_per_s = (low + high) / 2;
    (within() ? low : high) = load.sequences_per_s;
  }
  load.sequences_per_s = fullest_load * most;
  return within() ? load.sequences_per_s : low;
}

int decode_machines_needed(const DecodeReplicas& machine,
                           const DecodeLoad& load,
                           const DecodeLimits& limits,
                           int most,
                           double law_deviations) {
  if (law_deviations >= 0 && !may_be_within(machine, load, limits)) {
    return 0;
  }
  return decode_machines_needed(machine, load, most, [&](int machines) {
    DecodeReplicas all = machine;
    all.count *= machines;
    return decodes_within(all, load, limits, law_deviations);
  });
}

bool may_be_within(const DecodeReplicas& machine,
                   const DecodeLoad& load,
                   const DecodeLimits& limits) {
  const auto& [work, gpu, count] = machine;
  const double prompt_s = work.prompt_flops / product_flops_per_s(work, gpu) +
                          reduce_seconds(work, gpu, load.computed_tokens()) +
                          tower_seconds(work, gpu);
  const PromptSpread spread{load.prompt_cv(), work.prompt_curve};
  const double long_s = prompt_s * spread.at(z_99);
  return long_s + decode_step_seconds(work, gpu, 1, load.prompt_tokens) <= limits.first_token_s &&
         (load.output_tokens == 1 ||
          decode_step_seconds(work, gpu, 1, mean_context(load)) <= limits.token_s);
}

int decode_machines_needed(const DecodeReplicas& machine,
                           const DecodeLoad& load,
                           int most,
                           const std::function<bool(int machines)>& enough) {
  // The last digits of a largest load aside.
  const double fewest =
      load.sequences_per_s / (fullest_load * most_sequences_per_s(machine, load)) * (1 - 1e-6);
  if (!(fewest <= most)) {
    return 0;
  }
  int low = std::max(0, static_cast<int>(std::ceil(fewest)) - 1);  // too full, or none
  int high = low + 1;
  for (int more = 1; high < most && !enough(high); more *= 2) {
    low = high;
    high = std::min(most, high + more);
  }
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return enough(high) ? high : 0;
}

}  // namespace rightsize
