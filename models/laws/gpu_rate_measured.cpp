// What was measured of a job, by rightsize or by the user, goes before what others published: on
// its own GPU as it is, to other batches along the law, and to other GPUs and precisions as a
// factor.
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "models/laws/framework_habits.h"
#include "models/laws/gpu_rate_target.h"
#include "models/laws/measured_correction.h"
#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

// How much of a factor is lost on the way, as standard deviations of its logarithm (assumed). Their
// ratios weigh several measured rates against each other; that of another step is also part of its
// interval on the GPU that was measured.
constexpr double other_gpu_sd = 0.10;
constexpr double other_precision_sd = 0.15;
constexpr double other_phase_sd = 0.05;
constexpr double other_step_sd = 0.05;   // blocks run again, another optimizer
constexpr double other_batch_sd = 0.06;  // per factor e

// Of programs on one GPU (assumed): what of a surprise is theirs where the GPU's law may be as
// wrong.
constexpr double program_sd = 0.3;

double square(double value) {
  return value * value;
}

MeasuredStep step_of(const RateQuery& query) {
  return {query.tuning, query.accumulate * query.portions, query.recompute, query.gathers};
}

// Of two that a figure may be of the query's; both where neither is.
std::vector<MeasuredStep> readings_of(const PublishedRate& figure, const RateQuery& query) {
  auto again = figure.step;
  again.or_sharded = false;
  auto shared = again;
  shared.sharded = true;
  shared.recompute = false;
  if (!figure.step.or_sharded || (query.recompute && !query.gathers)) {
    return {again};
  }
  return query.gathers && !query.recompute ? std::vector{shared} : std::vector{again, shared};
}

// Of one rank nothing is shared.
bool is_step_of(const PublishedRate& figure, const RateQuery& query) {
  const auto readings = readings_of(figure, query);
  auto step = step_of(query);
  step.sharded = query.gathers ? true : readings.front().sharded;
  return readings.size() == 1 && readings.front() == step;
}

// How a figure is read that does not say all.
std::string words_of_readings(const PublishedRate& figure, const RateQuery& query) {
  const auto readings = readings_of(figure, query);
  if (readings.size() > 1) {
    return ", where blocks ran again or parameters were shared, and nobody said which (the mean of "
           "both)";
  }
  return readings.front().recompute && !figure.recompute_known
             ? ", where blocks are run again, for want of memory"
             : "";
}

double apart(const RateQuery& query, Precision precision, const PublishedRate& figure) {
  return square(measured_log_sd) + (figure.gpu == query.gpu ? 0 : square(other_gpu_sd)) +
         (figure.precision == precision ? 0 : square(other_precision_sd)) +
         (figure.phase == query.phase ? 0 : square(other_phase_sd)) +
         (is_step_of(figure, query) ? 0 : square(other_step_sd)) +
         square(other_batch_sd * std::log(static_cast<double>(figure.batch) / query.batch));
}

// The query, of the step that was measured.
RateQuery where_measured(RateQuery query, const PublishedRate& figure, const MeasuredStep& step) {
  query.tuning = step.tuning;
  query.accumulate = step.accumulate;
  query.recompute = step.recompute;
  query.gpu = figure.gpu;
  query.batch = figure.batch;
  query.precision = figure.precision;
  query.phase = figure.phase;
  query.stack = figure.stack;
  query.shards = step.sharded ? query.shards : 1;
  query.gathers = step.sharded;
  query.portions = 1;
  query.sm_share = 1;
  return query;
}

// The user's as asked for where he names no framework: it is his job's.
PublishedRate with_framework(PublishedRate figure, const RateQuery& query) {
  if (figure.framework.empty()) {
    figure.framework = query.framework;
  }
  return figure;
}

}  // namespace

template <typename Of>
GpuRates::Readings GpuRates::mean_of(const std::vector<MeasuredStep>& readings, Of of) {
  const double first = of(readings.front());
  const double last = readings.size() > 1 ? of(readings.back()) : first;
  return {(first + last) / 2, std::abs(last - first) / 2};
}

std::vector<const PublishedRate*> GpuRates::measured_figures(const Target& target) const {
  const auto& query = target.query;
  const int sequence = resolved_sequence(query.network, query.sequence);
  std::vector<const PublishedRate*> found;
  for (const auto& figure : rates_) {
    if (figure.measured && figure.network == query.network && figure.gpu != query.excluding_gpu &&
        figure.network != query.excluding_network && find(figure.gpu) != nullptr &&
        speaks_of(*find(figure.gpu), *target.gpu) &&
        figure.stack == query.stack.value_or(figure.stack) &&
        is_engine(figure.framework) == is_engine(query.framework) &&
        same_kind_of_step(figure.phase, query.phase) &&
        figure.step.tuning.adapters == query.tuning.adapters &&
        resolved_sequence(figure.network, figure.sequence) == sequence) {
      found.push_back(&figure);
    }
  }
  // His program is another than rightsize's: where he speaks of it, ours has no say.
  const auto of_user = [](const auto* figure) { return figure->of_user; };
  if (std::any_of(found.begin(), found.end(), of_user)) {
    std::erase_if(found, std::not_fn(of_user));
  }
  return found;
}

// What the law may be wrong by on AMD's GPU that was measured, where another maker's is asked for.
double GpuRates::other_maker_sd(const Target& target, const PublishedRate& figure) const {
  const auto* there = find(figure.gpu);
  return is_instinct(*target.gpu) ? 0 : instinct_log_sd(*there, target);
}

// Against the law.
GpuRates::Readings GpuRates::residuals_there(const Target& target,
                                             const PublishedRate& figure) const {
  const auto framework = with_framework(figure, target.query).framework;
  return mean_of(readings_of(figure, target.query), [&](const MeasuredStep& step) {
    const auto there = target_of(where_measured(target.query, figure, step)).value();
    const auto time = there.step(law_of(target.query), framework);
    return std::log(figure.items_per_s * time.seconds / figure.batch);
  });
}

// `share` of the figure is in a rate: nullopt where its GPUs shared nothing.
std::optional<SharedStep> GpuRates::shared_step(const Target& target,
                                                const PublishedRate& figure,
                                                double share) const {
  const auto readings = readings_of(figure, target.query);
  const auto& step = readings.back();
  if (!step.sharded) {
    return std::nullopt;
  }
  const auto there = target_of(where_measured(target.query, figure, step)).value();
  const auto framework = with_framework(figure, target.query).framework;
  return SharedStep{*there.gpu,
                    figure.batch,
                    step.recompute,
                    figure.batch / figure.items_per_s,
                    there.step(law_of(target.query), framework).seconds,
                    share / static_cast<double>(readings.size())};
}

// Those of this GPU and precision, interpolated along the law in ln(batch); measured is a batch
// that ran.
std::optional<GpuRate> GpuRates::from_measured(const Target& target) const {
  std::map<double, double> corrections;  // ln(batch) -> ln(measured / law)
  const PublishedRate* nearest = nullptr;
  const double log_batch = std::log(target.query.batch);
  for (const auto* figure : target.measured) {
    if (figure->gpu == target.gpu->name && figure->precision == target.precision &&
        figure->phase == target.query.phase) {
      corrections[std::log(figure->batch)] = residuals_there(target, *figure).mean;
      const bool nearer = nearest == nullptr || std::abs(std::log(figure->batch) - log_batch) <
                                                    std::abs(std::log(nearest->batch) - log_batch);
      nearest = nearer ? figure : nearest;
    }
  }
  if (nearest == nullptr) {
    return std::nullopt;
  }
  const auto correction = measured_correction(corrections, log_batch);
  const auto step =
      target.step(law_of(target.query), with_framework(*nearest, target.query).framework);
  const bool same_step = is_step_of(*nearest, target.query);
  const bool here = correction.far < 1e-9 && same_step;
  const double step_sd =
      same_step ? 0 : std::hypot(other_step_sd, residuals_there(target, *nearest).apart);
  const auto source = nearest->source + words_of_readings(*nearest, target.query);
  return GpuRate{target.query.batch / step.seconds * std::exp(correction.log_ratio),
                 std::hypot(measured_log_sd, far_log_sd * correction.far, step_sd),
                 here ? Source::measured : Source::scaled,
                 target.precision,
                 here ? source : "scaled by a roofline per layer from what was " + source,
                 target.stack,
                 here                                    ? RateRegime::measured
                 : correction.beyond < 1e-9 && same_step ? RateRegime::interpolated
                                                         : RateRegime::extrapolated,
                 0,
                 false,
                 shared_step(target, *nearest, 1)};
}

// As it was validated: of a program whose framework nobody names, and whose habits are now seen.
// The regime's factor is not in it: that of carried rates was calibrated without.
double GpuRates::unseen_log_sd(const Target& target) const {
  auto query = target.query;
  query.framework = is_engine(target.query.framework) ? target.query.framework : "";
  query.stack = target.stack;
  const auto nameless = target_of(query).value();
  const auto any = from_blend(nameless);
  return std::sqrt(std::max(0.0, square(any.log_sd) - square(any.publisher_log_sd))) /
         interval_factor(nameless, any.regime);
}

// Whose program runs and how well it was written is the same on every GPU: the factor between what
// was measured and what the blend says of it there is for the most part the blend's on other GPUs
// too, so that one GPU is not set against another by two programs' habits. What publishers differ
// in is known then.
GpuRate GpuRates::carried(const GpuRate& blend, const Target& target) const {
  double weights = 0;
  double log_factor = 0;
  const PublishedRate* nearest = nullptr;
  double least = 0;
  double apart_by_reading = 0;
  for (const auto* figure : target.measured) {
    const double unlike = other_maker_sd(target, *figure);
    const double of_program = square(program_sd) / (square(program_sd) + square(unlike));
    const double variance = apart(target.query, target.precision, *figure) + square(unlike);
    const auto readings =
        mean_of(readings_of(*figure, target.query), [&](const MeasuredStep& step) {
          const auto there = target_of(where_measured(target.query, *figure, step)).value();
          return std::log(figure->items_per_s / from_blend(there).items_per_s);
        });
    log_factor += of_program * readings.mean / variance;
    weights += 1 / variance;
    if (nearest == nullptr || variance < least) {
      nearest = figure;
      least = variance;
      apart_by_reading = readings.apart;
    }
  }
  auto rate = blend;
  rate.items_per_s *= std::exp(programs_share * log_factor / weights);
  rate.log_sd = std::hypot(unseen_log_sd(target), std::sqrt(least), apart_by_reading) *
                interval_factor(target, RateRegime::carried);
  if (!target.query.framework.empty()) {  // whose figures say more of it already
    rate.log_sd = std::min(rate.log_sd, blend.log_sd);
  }
  if (other_maker_sd(target, *nearest) > 0) {
    rate.log_sd = std::max(rate.log_sd, blend.log_sd);
  }
  rate.publisher_log_sd = 0;
  rate.source = Source::scaled;
  rate.regime = RateRegime::carried;
  rate.provenance = fmt::format("as fast as {} at batch {}, {}{}, make it: {}",
                                per_second(nearest->items_per_s),
                                nearest->batch,
                                nearest->source,
                                words_of_readings(*nearest, target.query),
                                blend.provenance);
  rate.shared = shared_step(target, *nearest, programs_share);
  return rate;
}

}  // namespace rightsize
