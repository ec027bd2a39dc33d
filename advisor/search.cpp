#include "advisor/search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "advisor/candidate.h"
#include "advisor/chance.h"
#include "advisor/constraint.h"

namespace rightsize {
namespace {

constexpr double absurd_seconds = 10 * 365.25 * 86400;  // no price or plan holds that long
constexpr double normal_90 = 1.6449;  // the two-sided 90 % quantile the interval factor replaces

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

class Rejections {
 public:
  void add(const std::string& reason, const Offer& offer) {
    auto& rejection = by_reason_[reason];
    rejection.reason = reason;
    ++rejection.count;
    const auto name = offer.provider + "/" + offer.instance;
    if (rejection.examples.size() < 3 &&
        std::find(rejection.examples.begin(), rejection.examples.end(), name) ==
            rejection.examples.end()) {
      rejection.examples.push_back(name);
    }
  }

  [[nodiscard]] std::vector<Rejection> sorted() const {
    std::vector<Rejection> all;
    for (const auto& [reason, rejection] : by_reason_) {
      all.push_back(rejection);
    }
    std::stable_sort(
        all.begin(), all.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
    return all;
  }

 private:
  std::map<std::string, Rejection> by_reason_;
};

struct Judged {
  Option option;
  UncertainCost uncertain;
  const Offer* offer = nullptr;
  DiskChoice disk;
};

class Search {
 public:
  Search(const Query& query, const Evidence& evidence, const SearchOptions& options)
      : query_(query),
        evidence_(evidence),
        options_(options),
        constraints_(query),
        maker_(query,
               evidence.catalog,
               evidence.gpu_rates,
               evidence.cpu_speeds,
               evidence.model.cpu_model) {}

  Recommendation run() {
    for (const auto& offer : evidence_.catalog.offers()) {
      if (constraints_.in_scope(offer)) {
        consider(offer);
      }
    }
    return conclude();
  }

 private:
  void consider(const Offer& offer) {
    ++offers_;
    if (const auto reason = constraints_.reason_against(offer)) {
      rejections_.add(*reason, offer);
      return;
    }
    std::optional<Judged> best;
    std::string reason;
    for (const auto& disk : maker_.disks(offer)) {
      for (const int batch : query_.batches) {
        ++candidates_;
        const auto candidate = maker_.make(offer, disk, batch, reason);
        if (!candidate) {
          continue;
        }
        auto judged = judge(*candidate, reason);
        if (judged && (!best || better(*judged, *best))) {
          best = std::move(judged);
        }
      }
    }
    if (!best) {
      rejections_.add(reason, offer);
    } else if (!best->option.satisfies) {
      rejections_.add(best->option.shortfall, offer);
      missed_.push_back(std::move(*best));
    } else {
      passed_.push_back(std::move(*best));
    }
  }

  // Satisfying first, then cheaper; among those that do not satisfy, likelier first.
  static bool better(const Judged& a, const Judged& b) {
    if (a.option.satisfies != b.option.satisfies) {
      return a.option.satisfies;
    }
    if (!a.option.satisfies && a.option.p_deadline != b.option.p_deadline) {
      return a.option.p_deadline > b.option.p_deadline;
    }
    return a.option.cost.value < b.option.cost.value;
  }

  const Predictor* predictor_for(const Candidate& candidate, std::string& reason) {
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
  const Prediction& predict(const Predictor& predictor, const Candidate& candidate) {
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

  std::optional<Judged> judge(const Candidate& candidate, std::string& reason) {
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
    const double sd = prediction.log_sd * predictor->interval_factor() / normal_90;
    if (job_seconds(query_, prediction) > absurd_seconds) {
      reason = "would take more than ten years";
      return std::nullopt;
    }
    fill_estimates(candidate, prediction, *predictor, option);
    check_limits(sd, option);
    judged.uncertain = {
        std::log(option.cost.value),
        prediction.model_sd,
        prediction.accelerator_sd,
        prediction.cpu_speed_sd,
        prediction.disk_sd,
        evidence_.model.noise,
        option.gpu,
        option.provider == "aws" ? option.instance.substr(0, option.instance.find('.')) : "unknown",
        candidate.disk.volume ? option.provider + candidate.disk.volume->name : option.provider};
    return judged;
  }

  static void describe_offer(const Candidate& candidate, Option& option) {
    const Offer& offer = *candidate.offer;
    option.provider = offer.provider;
    option.instance = offer.instance;
    option.region = offer.region;
    option.market = offer.market;
    option.gpu = offer.gpu;
    option.gpus = offer.gpus;
    option.vcpus = *offer.vcpus;
    option.memory_gib = *offer.memory_gib;
    option.disk = candidate.disk.label;
    option.batch_per_gpu = candidate.batch;
    option.precision = candidate.precision;
    option.price_per_hour = offer.price_per_hour;
    option.price_as_of = offer.as_of;
    option.price_source = offer.table + ": " + offer.source;
    option.rate_provenance = candidate.rate_provenance;
    option.cpu_provenance = candidate.cpu_provenance;
  }

  static std::optional<VolumeChoice> volume_of(const DiskChoice& disk) {
    return disk.volume == nullptr ? std::nullopt
                                  : std::optional(VolumeChoice{disk.volume, disk.gib});
  }

  double cost_of(const Candidate& candidate, const BillingRule& rule, double seconds) const {
    const Offer& offer = *candidate.offer;
    const Money total =
        bill_total(offer, 1, volume_of(candidate.disk), whole_seconds(seconds), rule);
    const auto& currency = offer.price_per_hour.currency();
    return (currency == query_.currency ? total : convert(total, query_.rates.at(currency)))
        .approximate();
  }

  void fill_estimates(const Candidate& candidate,
                      const Prediction& prediction,
                      const Predictor& predictor,
                      Option& option) const {
    const Source source = weaker(candidate.rate_source, Source::fitted);
    const double seconds = job_seconds(query_, prediction);
    const double spread = std::exp(predictor.interval_factor() * prediction.log_sd);
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
    option.cost_log_sd = prediction.log_sd;
    option.limited_by = prediction.limited_by;
    option.busy = prediction.busy;
    option.hit_ratio = prediction.hit_ratio;
  }

  // Probability of meeting deadline and budget, and what to say when it is too low.
  void check_limits(double sd, Option& option) const {
    const auto chance = [&](double limit, double value) {
      return normal_cdf(std::log(limit / value) / sd);
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
    option.shortfall = hopeless ? fmt::format("misses {} even at the optimistic bound", what)
                                : fmt::format("meets {} with less than {:.0f} % confidence",
                                              what,
                                              100 * query_.confidence);
  }

  // One option per provider, instance and market: its cheapest region. The rest stay countable.
  static std::vector<Judged> best_regions(std::vector<Judged> all) {
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.option.cost.value < b.option.cost.value;
    });
    std::set<std::string> seen;
    std::vector<Judged> kept;
    for (auto& judged : all) {
      const auto& option = judged.option;
      if (seen.insert(option.provider + "/" + option.instance + "/" +
                      std::string(to_string(option.market)))
              .second) {
        kept.push_back(std::move(judged));
      }
    }
    return kept;
  }

  Recommendation conclude() {
    Recommendation answer;
    answer.query = query_;
    answer.candidates = candidates_;
    answer.rejected = rejections_.sorted();
    answer.options_total = passed_.size();
    auto ranked = best_regions(std::move(passed_));
    std::vector<UncertainCost> costs;
    for (const auto& judged : ranked) {
      costs.push_back(judged.uncertain);
    }
    const auto chances = draw_chances(costs, options_.draws, options_.seed);
    for (std::size_t i = 0; i < ranked.size() && i < options_.max_options; ++i) {
      ranked[i].option.p_cheapest = chances.cheapest[i];
      if (i > 0 && chances.beats_first[i] >= 0.3) {
        answer.ties.push_back(i);
      }
      itemise(ranked[i]);
      answer.options.push_back(std::move(ranked[i].option));
    }
    if (!answer.options.empty()) {
      answer.chosen = answer.options.front();
    } else {
      add_nearest_misses(answer);
    }
    add_evidence(answer);
    add_assumptions(answer);
    add_warnings(answer);
    return answer;
  }

  void itemise(Judged& judged) const {
    judged.option.bill =
        bill(*judged.offer,
             1,
             volume_of(judged.disk),
             whole_seconds(judged.option.hours.value * 3600),
             evidence_.catalog.billing(judged.offer->provider, judged.offer->book));
  }

  // Nothing satisfies: show what comes closest, marked as such.
  void add_nearest_misses(Recommendation& answer) {
    std::stable_sort(missed_.begin(), missed_.end(), better);
    std::set<std::string> seen;
    for (auto& judged : missed_) {
      if (answer.options.size() < 3 &&
          seen.insert(judged.option.provider + judged.option.instance).second) {
        itemise(judged);
        answer.options.push_back(judged.option);
      }
    }
  }

  void add_evidence(Recommendation& answer) const {
    const auto& model = evidence_.model;
    answer.runs = model.runs;
    answer.model_error = model.cv_median_error;
    answer.machine = model.machine;
    answer.measured_at = model.measured_at;
    answer.tool_version = RIGHTSIZE_VERSION;
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    answer.generated_at = text;
    std::set<std::string> used;
    for (const auto& option : answer.options) {
      used.insert(option.price_source.substr(0, option.price_source.find(':')) + ", " +
                  option.price_as_of);
    }
    answer.price_tables.assign(used.begin(), used.end());
  }

  void add_assumptions(Recommendation& answer) const {
    answer.assumptions = {
        "the GPU's own speed is a published figure or scaled from published figures, unless it was "
        "measured: see each option's source",
        "3 GiB of host memory per GPU process, 1 GiB of GPU memory for context and workspaces",
        "gradients cross PCIe at 5 GB/s per GPU, NVLink at a quarter of its total rate; 60 % of "
        "the "
        "step can hide them",
        "the host's work of launching GPU kernels is not counted: it was not measured here",
        "disks hold the data set and 20 GiB more; a month is 730 h",
        "where a provider's table has no disk prices, the disk is taken as included, at 500 MB/s"};
    if (query_.phase == Phase::train) {
      answer.assumptions.push_back("epochs after the first read what the page cache does not hold");
    }
  }

  void add_warnings(Recommendation& answer) const {
    if (!answer.chosen) {
      return;
    }
    if (answer.chosen->price_as_of.find("undated") != std::string::npos) {
      answer.warnings.push_back("the chosen price carries no date: check it before you rent");
    }
    if (evidence_.catalog.billing(answer.chosen->provider, query_.book).basis == "assumed") {
      answer.warnings.push_back("the billing granularity of " + answer.chosen->provider +
                                " is assumed, not published in our tables");
    }
    if (!answer.ties.empty()) {
      answer.warnings.push_back(
          fmt::format("{} other option{} cannot be told apart from the chosen one on cost",
                      answer.ties.size(),
                      answer.ties.size() == 1 ? "" : "s"));
    }
  }

  const Query& query_;
  const Evidence& evidence_;
  const SearchOptions& options_;
  OfferConstraints constraints_;
  CandidateMaker maker_;
  Rejections rejections_;
  std::map<std::pair<bool, int>, std::optional<Predictor>> predictors_;
  std::unordered_map<std::string, Prediction> predictions_;
  std::vector<Judged> passed_;
  std::vector<Judged> missed_;
  std::size_t offers_ = 0;
  std::size_t candidates_ = 0;
};

}  // namespace

Recommendation search(const Query& query, const Evidence& evidence, const SearchOptions& options) {
  return Search(query, evidence, options).run();
}

}  // namespace rightsize
