#include "advisor/judge.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace rightsize {
namespace {

constexpr double absurd_seconds = 10 * 365.25 * 86400;  // no price or plan holds that long

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

std::chrono::seconds whole_seconds(double seconds) {
  return std::chrono::seconds(static_cast<std::int64_t>(std::ceil(seconds)));
}

// Seconds for the whole job: the first epoch reads from the disk, the others as the cache allows.
double job_seconds(const Query& query, const Prediction& prediction) {
  const double items = static_cast<double>(query.items);
  const double first = std::min(1.0, query.epochs) * items / prediction.cold_items_per_s;
  return first + std::max(0.0, query.epochs - 1) * items / prediction.items_per_s;
}

void describe_offer(const Candidate& candidate, Option& option) {
  const Offer& offer = *candidate.offer;
  option.own = offer.book == "own";
  option.provider = offer.provider;
  option.instance = offer.instance;
  option.region = offer.region;
  option.market = offer.market;
  option.gpu = offer.gpu;
  option.gpus = offer.gpus;
  option.vcpus = *offer.vcpus;
  option.memory_gib = *offer.memory_gib;
  option.disk = candidate.disk.label;
  option.disk_class = candidate.disk.volume == nullptr ? "" : candidate.disk.volume->name;
  option.disk_gib = candidate.disk.gib;
  option.disk_bytes_per_s = candidate.disk.speed.bytes_per_s;
  option.disk_source = candidate.disk.source;
  option.batch_per_gpu = candidate.batch;
  option.precision = candidate.precision;
  option.price_per_hour = offer.price_per_hour;
  option.price_as_of = offer.as_of;
  option.price_source = offer.table + ": " + offer.source;
  option.rate_provenance = candidate.rate_provenance;
  option.cpu_provenance = candidate.cpu_provenance;
}

std::optional<VolumeChoice> volume_of(const DiskChoice& disk) {
  return disk.volume == nullptr
             ? std::nullopt
             : std::optional(VolumeChoice{disk.volume, disk.gib, disk.bought_iops});
}

BillTerms terms_of(const Query& query) {
  return {query.utilisation_percent};
}

// As good as the weakest input that matters: one that moves the answer by a fifth of its own
// error.
Source source_of(const Candidate& candidate, const Prediction& prediction) {
  constexpr double matters = 0.2;
  const auto& spread = candidate.uncertainty;
  Source source = Source::fitted;
  const auto add = [&](double sensitivity_sd, double sd, Source input) {
    if (sd > 0 && std::abs(sensitivity_sd) > matters * sd) {
      source = weaker(source, input);
    }
  };
  add(prediction.accelerator_sd, spread.accelerator, candidate.rate_source);
  add(prediction.cpu_speed_sd, spread.cpu_speed, candidate.cpu_source);
  add(prediction.disk_sd, spread.disk, candidate.disk.source);
  return source;
}

}  // namespace

bool better(const Option& a, const Option& b) {
  if (a.satisfies != b.satisfies) {
    return a.satisfies;
  }
  if (!a.satisfies && a.p_deadline != b.p_deadline) {
    return a.p_deadline > b.p_deadline;
  }
  return a.score < b.score;
}

const Predictor* Judge::predictor_for(const Candidate& candidate, std::string& reason) {
  const bool on_gpu = !candidate.offer->gpu.empty();
  const auto key = std::make_pair(on_gpu, on_gpu ? 0 : candidate.batch);
  auto found = predictors_.find(key);
  if (found == predictors_.end()) {
    std::optional<Predictor> predictor;
    try {
      predictor.emplace(evidence_.model, candidate.setting.workload);
    } catch (const ModelError&) {
      if (on_gpu) {
        throw;  // without the data path nothing can be said
      }
    }
    found = predictors_.emplace(key, std::move(predictor)).first;
  }
  if (!found->second) {
    reason = "the network was not measured on a CPU here";
    return nullptr;
  }
  return &*found->second;
}

// Offers differ in price by region far more often than in shape: one prediction per shape.
const Prediction& Judge::predict(const Predictor& predictor, const Candidate& candidate) {
  const auto& offer = *candidate.offer;
  auto key = fmt::format("{}|{}|{}|{}|{}|{}|{}",
                         offer.provider,
                         offer.instance,
                         offer.book,
                         candidate.setting.cpus,
                         candidate.setting.memory_bytes,
                         candidate.disk.label,
                         candidate.batch);
  auto found = predictions_.find(key);
  if (found == predictions_.end()) {
    found =
        predictions_
            .emplace(std::move(key), predictor.predict(candidate.setting, candidate.uncertainty))
            .first;
  }
  return found->second;
}

const Prediction* Judge::prediction(const Candidate& candidate, std::string& reason) {
  const Predictor* predictor = predictor_for(candidate, reason);
  return predictor == nullptr ? nullptr : &predict(*predictor, candidate);
}

std::optional<Judged> Judge::judge(const Candidate& candidate, std::string& reason) {
  const Predictor* predictor = predictor_for(candidate, reason);
  if (predictor == nullptr) {
    return std::nullopt;
  }
  const Prediction& prediction = predict(*predictor, candidate);
  Judged judged;
  judged.offer = candidate.offer;
  judged.disk = candidate.disk;
  Option& option = judged.option;
  describe_offer(candidate, option);
  const double work_s = job_seconds(query_, prediction);
  option.spot = work_s > absurd_seconds ? std::nullopt : interrupted(candidate, work_s);
  const bool lost =
      option.spot && (!option.spot->possible || option.spot->mean_h * 3600 > absurd_seconds);
  if (work_s > absurd_seconds || lost) {
    reason = lost ? "would take more than ten years, interruptions counted"
                  : "would take more than ten years";
    return std::nullopt;
  }
  fill_estimates(candidate, prediction, *predictor, option);
  check_limits(option.cost_log_sd, option);
  if (query_.service && !fill_service(candidate, prediction, option, reason)) {
    return std::nullopt;
  }
  judged.uncertain = uncertain_cost(candidate, prediction, option);
  return judged;
}

double Judge::cost_of(const Candidate& candidate,
                      const BillingRule& rule,
                      double seconds,
                      int nodes) const {
  const Offer& offer = *candidate.offer;
  const Money total = bill_total(
      offer, nodes, volume_of(candidate.disk), whole_seconds(seconds), rule, terms_of(query_));
  const auto& currency = offer.price_per_hour.currency();
  return (currency == query_.currency ? total : convert(total, query_.rates.at(currency)))
      .approximate();
}

// On a spot market: the time with lost work and restarts in it, of a job that takes `work_s`.
std::optional<SpotTime> Judge::interrupted(const Candidate& candidate, double work_s) const {
  if (candidate.offer->market != Market::spot || query_.service) {
    return std::nullopt;
  }
  const auto& rule = evidence_.catalog.billing(candidate.offer->provider, candidate.offer->book);
  const auto terms = spot_terms(query_.interruptions, rule, candidate.checkpoint_bytes);
  return spot_time(terms, work_s / 3600);
}

void Judge::fill_estimates(const Candidate& candidate,
                           const Prediction& prediction,
                           const Predictor& predictor,
                           Option& option) const {
  const Source source = source_of(candidate, prediction);
  double seconds = job_seconds(query_, prediction);
  option.cost_log_sd = prediction.log_sd;
  if (option.spot) {
    seconds = option.spot->mean_h * 3600;
    option.cost_log_sd =
        std::hypot(prediction.log_sd, option.spot->deviation_h / option.spot->mean_h);
  }
  const double spread = std::exp(normal_90 * option.cost_log_sd);
  option.throughput = predictor.estimate(prediction, source);
  option.hours = {seconds / 3600,
                  seconds / spread / 3600,
                  seconds * spread / 3600,
                  evidence_.model.confidence,
                  "h",
                  source};
  const auto& rule = evidence_.catalog.billing(candidate.offer->provider, candidate.offer->book);
  option.cost = {cost_of(candidate, rule, seconds),
                 cost_of(candidate, rule, seconds / spread),
                 cost_of(candidate, rule, seconds * spread),
                 evidence_.model.confidence,
                 query_.currency,
                 source};
  option.score = query_.objective.score(option.cost.value, option.hours.value);
  option.limited_by = prediction.limited_by;
  option.busy = prediction.busy;
  option.hit_ratio = prediction.hit_ratio;
}

// Probability of meeting deadline and budget, and what to say when it is too low.
void Judge::check_limits(double log_sd, Option& option) const {
  const auto chance = [&](double limit, double value) {
    return normal_cdf(std::log(limit / value) / log_sd);
  };
  const double p_time =
      query_.deadline_s ? chance(*query_.deadline_s / 3600, option.hours.value) : 1.0;
  const double p_money =
      query_.budget ? chance(query_.budget->approximate(), option.cost.value) : 1.0;
  option.p_deadline = std::min(p_time, p_money);
  option.satisfies = option.p_deadline >= query_.confidence;
  if (option.satisfies) {
    return;
  }
  const bool by_time = p_time <= p_money;
  const bool hopeless = by_time ? option.hours.low * 3600 > *query_.deadline_s
                                : option.cost.low > query_.budget->approximate();
  const std::string what = by_time ? "the deadline" : "the budget";
  option.shortfall =
      hopeless ? fmt::format("misses {} even at the optimistic bound", what)
               : fmt::format(
                     "meets {} with less than {:.0f} % confidence", what, 100 * query_.confidence);
}

void Judge::itemise(Judged& judged) const {
  judged.option.bill = bill(*judged.offer,
                            judged.option.nodes,
                            volume_of(judged.disk),
                            whole_seconds(judged.option.hours.value * 3600),
                            evidence_.catalog.billing(judged.offer->provider, judged.offer->book),
                            terms_of(query_));
}

UncertainCost Judge::uncertain_cost(const Candidate& candidate,
                                    const Prediction& prediction,
                                    const Option& option) const {
  // The left-over noise is each option's own; the rest of the model's error is common to all.
  const double noise = std::min(evidence_.model.noise, prediction.model_sd);
  const double luck = option.spot ? option.spot->deviation_h / option.spot->mean_h : 0;
  const double own_sd = std::hypot(noise, luck);
  const bool known_family = option.provider == "aws";
  return {std::log(option.score),
          std::sqrt(prediction.model_sd * prediction.model_sd - noise * noise),
          prediction.accelerator_sd,
          prediction.cpu_speed_sd,
          prediction.disk_sd,
          own_sd,
          option.gpu,
          known_family ? option.instance.substr(0, option.instance.find('.')) : "unknown",
          candidate.disk.volume ? option.provider + candidate.disk.volume->name : option.provider};
}

}  // namespace rightsize
