// What a judged candidate looks like to those who read the answer: words, intervals and the bill.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/cpu_law.h"
#include "advisor/judge/judge.h"
#include "kernels/gibibyte.h"
#include "pricing/monthly.h"
#include "pricing/on_prem.h"

namespace rightsize {
namespace {

void describe_disk(const DiskChoice& disk, Option& option) {
  option.disk = disk.label;
  option.disk_gib = disk.gib;
  option.disk_bytes_per_s = disk.speed.bytes_per_s;
  option.disk_source = disk.source;
  if (disk.volume == nullptr) {
    return;
  }
  const auto all_of = [](double base, std::int64_t more) {
    return more > 0 ? std::llround(base) + more : 0;
  };
  option.disk_class = disk.volume->name;
  option.disk_iops = all_of(disk.volume->iops_base, disk.bought.iops);
  option.disk_mbps = all_of(disk.volume->mbps_base, disk.bought.mbps);
}

void describe_sharing(const MemoryWay& way, Option& option) {
  option.sharded = way.shards > 1 && way.gathers();
  option.recompute = way.recompute;
  option.tensor_parallel = way.parallel.tensor;
  option.pipeline_parallel = way.parallel.pipeline;
  option.expert_parallel = way.expert_ranks();
  option.context_parallel = way.parallel.context;
  option.virtual_pipeline = way.parallel.chunks;
  if (way.parallel.any()) {
    option.micro_batch = way.parallel.micro_batch;
  }
}

Option described(const Candidate& candidate, const Offer& offer) {
  Option option;
  option.own = is_own(offer);
  option.provider = offer.provider;
  option.instance = offer.instance;
  option.region = offer.region;
  option.market = offer.market;
  option.gpu = offer.gpu;
  option.gpus = offer.gpus;
  option.cpu = offer.cpu;
  option.network = offer.network;
  option.vcpus = *offer.vcpus;
  option.memory_gib = *offer.memory_gib;
  describe_disk(candidate.disk, option);
  option.batch_per_gpu = candidate.way.batch;
  option.preprocess_on_gpu = candidate.way.preprocess_on_gpu;
  option.scaling_efficiency = candidate.scaling_efficiency;
  option.exchange = candidate.exchange;
  describe_sharing(candidate.memory_way, option);
  option.attention = candidate.texts ? candidate.texts->attention : AttentionSharing::by_heads;
  option.gpu_memory_needed_gib = candidate.gpu_memory.total() / bytes_per_gib;
  option.precision = candidate.precision;
  option.price_per_hour = offer.price_per_hour;
  if (is_monthly(offer)) {
    option.price_per_month = month_price(offer);
  }
  option.price_as_of = offer.as_of;
  option.price_source = offer.table + ": " + offer.source;
  option.rate_provenance = candidate.rate_provenance;
  option.cpu_provenance = candidate.cpu_provenance;
  return option;
}

// Of all texts together.
double tokens_written(const Query& query) {
  return static_cast<double>(query.items) * query.epochs * query.writing.output_tokens;
}

// By how surely they are.
struct MissedLimits {
  std::vector<std::string> surely;
  std::vector<std::string> probably;
  std::vector<std::string> perhaps;

  void add(const char* limit, double p_met, bool at_the_optimistic_end) {
    (at_the_optimistic_end ? surely : p_met < 0.5 ? probably : perhaps).emplace_back(limit);
  }
};

// Every limit that is missed is named: an offer that misses two is not helped by moving one.
std::string missed_words(const MissedLimits& missed, double confidence) {
  const auto named = [](const std::vector<std::string>& limits) {
    return fmt::format("{}", fmt::join(limits, " and "));
  };
  std::vector<std::string> words;
  if (!missed.surely.empty()) {
    words.push_back(fmt::format("misses {} even at the optimistic bound", named(missed.surely)));
  }
  if (!missed.probably.empty()) {
    words.push_back(fmt::format("misses {} more likely than not", named(missed.probably)));
  }
  if (!missed.perhaps.empty()) {
    words.push_back(fmt::format(
        "meets {} with less than {:.4g} % confidence", named(missed.perhaps), 100 * confidence));
  }
  return fmt::format("{}", fmt::join(words, " and "));
}

}  // namespace

double served_share(double utilisation) {
  return utilisation > 1 ? 1 / utilisation : 1;
}

std::string Judge::shortfall(const Candidate& candidate,
                             const Outlook& outlook,
                             const Standing& standing,
                             const Offer& offer) const {
  if (standing.satisfies) {
    return "";
  }
  if (outlook.tokens || outlook.service) {
    const bool saturated = outlook.tokens
                               ? is_saturated(*outlook.tokens)
                               : outlook.service->point.regime == ServingRegime::saturated;
    return saturated ? "is asked for more than it can answer"
                     : shortfall_of_service(outlook, standing);
  }
  const double optimist_h = outlook.hours_at(-normal_90);
  MissedLimits missed;
  if (outlook.p_in_time < query_.confidence) {
    missed.add("the deadline", outlook.p_in_time, optimist_h * 3600 > *query_.deadline_s);
  }
  const double p_affordable = chance_affordable(candidate, outlook, offer);
  if (p_affordable < query_.confidence) {
    const double least = cost_of(candidate, offer, rule_of(offer), optimist_h, outlook.nodes);
    missed.add("the budget", p_affordable, least > query_.budget->approximate());
  }
  return missed_words(missed, query_.confidence);
}

UncertainCost Judge::uncertain(const Candidate& candidate,
                               const Outlook& outlook,
                               const Standing& standing,
                               const Offer& offer) const {
  // The left-over noise is each option's own; the rest of the model's error is common to all.
  const auto& prediction = outlook.prediction;
  const double computing = 1 - outlook.moving;  // what the rate does not move, its error does not
  const double noise = std::min(prediction.noise_sd, prediction.model_sd);
  const double luck = outlook.spot ? outlook.spot->deviation_h / outlook.spot->mean_h : 0;
  const auto& volume = candidate.disk.volume;
  const auto bill =
      query_.serves()
          ? BillCurve()
          : BillCurve(
                bill_of(candidate, outlook, offer), outlook.hours, outlook.log_sd, outlook.faster);
  const auto as_expected = [&] {  // of a job, but for what its bill typically comes to
    return query_.objective.score(
        bill.moves_with_time() ? standing.cost : std::exp(bill.ln_typical()), outlook.hours);
  };
  return {
      .log_mean = std::log(query_.serves() ? standing.score : as_expected()),
      .model_sd = computing * std::sqrt(prediction.model_sd * prediction.model_sd - noise * noise),
      .accelerator_sd = computing * prediction.accelerator_sd,
      .cpu_speed_sd = computing * prediction.cpu_speed_sd,
      .disk_sd = computing * prediction.disk_sd + outlook.moving * candidate.disk.log_sd,
      .own_sd = std::hypot(computing * noise, luck, outlook.hazard_sd),
      .gpu = offer.gpu,
      .cpu = cpu_family(evidence_.cpu_speeds, offer),
      .disk = volume ? offer.provider + volume->name : offer.provider,
      .bill = bill,
      .time_weight = query_.objective.time,
      .faster = query_.serves() ? 1 : outlook.faster};
}

Option Judge::option(const Candidate& candidate,
                     const Outlook& outlook,
                     const Standing& standing,
                     const Offer& offer) const {
  Option option = described(candidate, offer);
  if (!outlook.cpu_law.empty()) {
    option.rate_provenance = outlook.cpu_law;
  }
  option.nodes = outlook.nodes;
  option.throughput = outlook.throughput;
  option.limited_by = outlook.prediction.limited_by;
  option.busy = outlook.prediction.busy;
  option.hit_ratio = outlook.prediction.hit_ratio;
  option.spot = outlook.spot;
  option.tokens = outlook.tokens;
  option.score = standing.score;
  option.p_deadline = standing.p_limits;
  if (outlook.service) {
    fill_service(outlook, standing, option);
  }
  option.miss = standing.miss;
  option.satisfies = standing.satisfies;
  option.shortfall = shortfall(candidate, outlook, standing, offer);
  fill_estimates(candidate, outlook, standing, offer, option);
  if (query_.writing.of_texts()) {
    option.throughput.unit = "texts/s";
    option.cost_per_1m_tokens = option.cost.value / tokens_written(query_) * 1e6;
  }
  option.bill = bill(offer,
                     outlook.nodes,
                     candidate.disk.rented(),
                     billable(outlook.hours),
                     rule_of(offer),
                     terms_of(offer));
  return option;
}

void Judge::fill_estimates(const Candidate& candidate,
                           const Outlook& outlook,
                           const Standing& standing,
                           const Offer& offer,
                           Option& option) const {
  const double confidence = evidence_.model.confidence;
  const auto cost = [&](double hours, int nodes) {
    return cost_of(candidate, offer, rule_of(offer), hours, nodes);
  };
  option.cost_log_sd = outlook.log_sd;
  const double deviations = query_.serves() ? 0 : normal_90;
  const double low_h = outlook.hours_at(-deviations);
  const double high_h = outlook.hours_at(deviations);
  option.hours = {outlook.hours, low_h, high_h, confidence, "h", outlook.source};
  const auto of_price =
      offer.source.starts_with(assumed_price) ? Source::assumed : Source::published;
  option.cost = {
      standing.cost, 0, 0, confidence, query_.currency, weaker(outlook.source, of_price)};
  if (const auto& fleet = option.service) {
    option.cost.low = cost(outlook.hours, std::min(fleet->machines_low, fleet->machines));
    option.cost.high = cost(outlook.hours, std::max(fleet->machines_high, fleet->machines));
    const double requests = query_.service->requests_per_s *
                            served_share(fleet->point.utilisation) * outlook.hours * 3600;
    option.cost_per_1k_requests = option.cost.value / requests * 1000;
    option.p99 = p99_of(*query_.service, *fleet, confidence, normal_90, outlook.source);
  } else if (outlook.tokens) {
    fill_tokens(candidate, outlook, offer, option);
  } else {
    option.cost.low = cost(low_h, outlook.nodes);
    option.cost.high = cost(high_h, outlook.nodes);
  }
}

}  // namespace rightsize
