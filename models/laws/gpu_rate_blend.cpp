// What the law and the figures beyond it say together of a query: each framework that answers by
// itself, and their mean.
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/laws/gpu_rate_target.h"
#include "models/laws/gpu_step_constants.h"

namespace rightsize {
namespace {

// Between BF16 and FP16, where figures are of the other one: seven of both (PyTorch's compiled code
// on an RTX PRO 6000) differ by 0.08 as root mean square, six of them with FP16 the faster.
constexpr double other_half_log_sd = 0.08;

// A logarithm of a batch that no figure is near: as many samples of a recommender as pictures are
// another minibatch.
constexpr double alike_to_none = 1e3;

struct MeanRate {
  double log_rate = 0;
  double variance = 0;  // of one framework's, at the mean
  double apart = 0;     // the frameworks, as a standard deviation
};

MeanRate mean_over(const std::vector<double>& log_rates,
                   const std::vector<double>& shares,
                   const std::vector<Blend>& blends) {
  MeanRate mean;
  double square = 0;
  for (std::size_t i = 0; i < log_rates.size(); ++i) {
    const double log_rate = log_rates[i] + blends[i].log_correction;
    mean.log_rate += shares[i] * log_rate;
    square += shares[i] * log_rate * log_rate;
    mean.variance += shares[i] * blends[i].log_sd * blends[i].log_sd;
  }
  mean.apart = std::sqrt(std::max(0.0, square - mean.log_rate * mean.log_rate));
  return mean;
}

// What was published of this very setting, where the mean of programs is told to be another rate:
// who looks the source up is to find its figure here.
std::string exact_words(const std::vector<const PublishedRate*>& own,
                        const RateQuery& query,
                        Precision precision,
                        std::size_t programs,
                        double told) {
  constexpr double telling = 0.05;
  std::string words;
  for (const auto* figure : own) {
    const bool exact = figure->batch == query.batch && figure->phase == query.phase &&
                       figure->precision == precision;
    if (exact && std::abs(figure->items_per_s / told - 1) > telling) {
      words += fmt::format(
          "{} {:.4g}", words.empty() ? "; of this very setting" : ",", figure->items_per_s);
    }
  }
  return words.empty() || programs == 1
             ? words
             : words + fmt::format(", told is the mean of {} programs' speeds", programs);
}

}  // namespace

// Residuals by the law that has not seen what is excluded, without the excluded figures.
std::optional<std::vector<BlendFigure>> GpuRates::evidence_without_excluded(
    const RateQuery& query) const {
  if (query.excluding_gpu.empty() && query.excluding_network.empty()) {
    return std::nullopt;
  }
  const auto& law = law_of(query);
  std::vector<BlendFigure> figures;
  for (const auto& rate : rates_) {
    if (!excluded(query, rate) && !rate.measured) {
      figures.push_back(residual_of(rate, law));
    }
  }
  return figures;
}

BlendPoint GpuRates::point_of(const Target& target) const {
  return {number_of(network_key(target.query.network, target.query.sequence)),
          number_of(die_of(*target.gpu)),
          number_of(target.gpu->arch),
          chip_of(*target.gpu),
          -1,
          number_of(network_family(target.query.network)),
          -1,
          target.stack,
          target.kept(),
          target.query.phase,
          target.work->looks_up ? alike_to_none : std::log(target.query.batch)};
}

// What figures say beyond the law they say of the kind of step: its phases differ in what the law
// counts (a loss, an update), and one that is part of another may not be told slower. So the
// question is put for the phase that is asked for most; nullopt where it is this one.
std::optional<GpuRates::Target> GpuRates::Target::of_usual_phase(const GpuWorkCache& works) const {
  const auto phase = has_backward(query.phase) ? Phase::train : Phase::infer;
  if (phase == query.phase) {
    return std::nullopt;
  }
  auto usual = *this;
  usual.query.phase = phase;
  usual.work = works.find(query.network,
                          query.sequence,
                          phase,
                          query.recompute,
                          query.tuning,
                          query.tensor,
                          query.expert_ranks,
                          query.context,
                          query.expert_tensor);
  return usual.work == nullptr ? std::nullopt : std::optional(std::move(usual));
}

// Of each framework its own answer; their mean.
GpuRate GpuRates::from_blend(const Target& target) const {
  const auto left = evidence_without_excluded(target.query);
  const std::span<const BlendFigure> figures = left ? *left : residuals_;
  std::vector<BlendPoint> points;
  std::vector<double> log_rates;
  std::vector<double> shares;
  const auto& law = law_of(target.query);
  const auto usual = target.of_usual_phase(works_);
  for (const auto& [framework, share] : target.frameworks) {
    const auto step = target.step(law, framework);
    points.push_back(point_of(target));
    points.back().framework = number_of(framework);
    points.back().framework_family = number_of(framework_family(framework));
    // How figures of other networks wait for the host says nothing of how a recommender does.
    points.back().launch_share = target.work->looks_up ? 0
                                 : usual               ? usual->step(law, framework).launch_share
                                                       : step.launch_share;
    log_rates.push_back(std::log(target.query.batch / step.seconds));
    shares.push_back(share);
  }
  const auto mean = mean_over(log_rates, shares, blend_.at(points, figures));
  const bool whole = is_whole(target.query) && target.precision != Precision::fp8;
  const auto found = regime_of(target);
  const bool of_other = !target.own.empty() && !target.has_own_at_precision();
  const bool own =
      whole && !of_other && (found == RateRegime::published || found == RateRegime::interpolated);
  const auto regime = whole || found > RateRegime::same_pair ? found : RateRegime::same_pair;
  const double rate = std::exp(mean.log_rate);
  return {rate,
          std::hypot(std::sqrt(mean.variance) * interval_factor(target, regime),
                     mean.apart,
                     of_other ? other_half_log_sd : 0),
          own ? Source::published : Source::scaled,
          target.precision,
          provenance_of(target, own) +
              (own ? exact_words(
                         target.own, target.query, target.precision, target.frameworks.size(), rate)
                   : ""),
          target.stack,
          regime,
          mean.apart};
}

}  // namespace rightsize
