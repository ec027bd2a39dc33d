#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "kernels/work.h"
#include "models/laws/framework_habits.h"
#include "models/laws/gpu_rate_target.h"
#include "models/laws/gpu_step_constants.h"
#include "models/laws/measured_decode.h"

namespace rightsize {
namespace {

GpuRate as_writer(GpuRate rate, const GpuWork& work) {
  rate.log_sd = work.written.any() ? std::max(rate.log_sd, writing_log_sd) : rate.log_sd;
  return rate;
}

std::string fold_of(const RateQuery& query) {
  if (!query.excluding_gpu.empty()) {
    return fmt::format("gpu {}", query.excluding_gpu);
  }
  return query.excluding_network.empty() ? "all"
                                         : fmt::format("network {}", query.excluding_network);
}

// What users measure of a GPU is of one that has every layer and expert, and whole sequences.
bool has_all(const RateQuery& query) {
  return query.tensor * query.expert_ranks * query.context == 1;
}

// Nobody's published figures are of recomputation or adapters either.
bool is_whole(const RateQuery& query) {
  return has_all(query) && !query.recompute && !query.tuning.adapters.any();
}

}  // namespace

const GpuStepLaw& GpuRates::law_of(const RateQuery& query) const {
  const auto fold = laws_.find(fold_of(query));
  return fold == laws_.end() ? laws_.at("all") : fold->second;
}

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
          std::log(target.query.batch)};
}

std::vector<const PublishedRate*> GpuRates::figures_of_die(const Target& target) const {
  const auto& query = target.query;
  const int sequence = resolved_sequence(query.network, query.sequence);
  const int die = number_of(die_of(*target.gpu));
  std::vector<const PublishedRate*> found;
  auto residual = residuals_.begin();  // of each that was published, in their order
  for (const auto& figure : rates_) {
    if (figure.measured) {
      continue;
    }
    if ((residual++)->at.die == die && figure.network == query.network &&
        figure.precision == target.kept() && !excluded(query, figure) &&
        is_engine(figure.framework) == is_engine(query.framework) &&
        same_kind_of_step(figure.phase, query.phase) &&
        resolved_sequence(figure.network, figure.sequence) == sequence) {
      found.push_back(&figure);
    }
  }
  return found;
}

// nullopt where GPU or network is not known.
std::optional<GpuRates::Target> GpuRates::target_of(const RateQuery& query) const {
  Target target;
  target.query = query;
  target.gpu = find(query.gpu);
  target.work = works_.find(query.network,
                            query.sequence,
                            query.phase,
                            query.recompute,
                            query.tuning,
                            query.tensor,
                            query.expert_ranks,
                            query.context);
  if (target.gpu == nullptr || target.work == nullptr) {
    return std::nullopt;
  }
  target.precision = available_precision(*target.gpu, query.precision);
  const auto of_die = figures_of_die(target);
  std::copy_if(of_die.begin(), of_die.end(), std::back_inserter(target.own), [&](const auto* one) {
    return one->gpu == target.gpu->name;
  });
  if (has_all(query)) {
    target.measured = measured_figures(target);
  }
  target.stack = is_engine(query.framework) ? Stack::current  // nobody published the era's
                 : query.stack              ? *query.stack
                 : target.measured.empty()  ? best_stack(target, of_die)
                                            : target.measured.front()->stack;
  target.frameworks = frameworks_of(target);
  std::erase_if(target.own, [&](const auto* figure) {
    return figure->stack != target.stack || !target.frameworks.contains(figure->framework);
  });
  return target;
}

std::optional<GpuRate> GpuRates::rate(const RateQuery& query) const {
  const auto* gpu = find(query.gpu);
  if (gpu == nullptr || query.phase == Phase::preprocess || query.batch < 1) {
    return std::nullopt;
  }
  if (query.phase == Phase::decode) {
    return is_whole(query) && query.stack != Stack::era
               ? measured_decode_rate(measured_decode_, query, *gpu)
               : std::nullopt;
  }
  const auto target = target_of(query);
  if (!target) {
    return std::nullopt;
  }
  if (auto measured = from_measured(*target)) {
    return measured;
  }
  const auto blend = from_blend(*target);
  const auto rate =
      target->measured.empty()
          ? as_recommender(
                as_writer(as_denoiser(as_language_model(blend, *target), *target), *target->work),
                *target)
          : carried(blend, *target);
  return as_of_instinct(rate, *target);
}

// What the law may be wrong by on AMD's GPUs beside its interval: none had a part in its fit, and
// the shares of their chips are set to trainings of language models by programs tuned for them
// (calibration/programs_instinct.csv, within 0.15). By others an H200 made 1.32 to 1.40 of what an
// MI300X did where the law says 0.8 (github.com/alpharomercoma/MI300X-vs-H200), and convolutions
// are another library's, MIOpen. 0 of other makers.
double GpuRates::instinct_log_sd(const GpuSpec& gpu, const Target& target) {
  constexpr double tuned_log_sd = 0.15;
  constexpr double language_log_sd = 0.3;
  constexpr double others_log_sd = 0.4;
  const bool language = target.work->language_parameters > 0 && has_backward(target.query.phase);
  const auto* habits = habits_of(target.query.framework);
  const bool tuned = habits != nullptr && habits->hopper_kernels;
  return !is_instinct(gpu) ? 0 : !language ? others_log_sd : tuned ? tuned_log_sd : language_log_sd;
}

// Where one of them was measured the law is mended by it.
GpuRate GpuRates::as_of_instinct(GpuRate rate, const Target& target) const {
  const bool measured =
      std::any_of(target.measured.begin(), target.measured.end(), [&](const PublishedRate* figure) {
        return is_instinct(*find(figure->gpu));
      });
  if (!measured && is_instinct(*target.gpu)) {
    rate.log_sd = std::hypot(rate.log_sd, instinct_log_sd(*target.gpu, target));
    rate.provenance += "; no figure of AMD's GPUs has a part in it";
  }
  return rate;
}

// Large language models are alike: figures of many (calibration/sharded.csv, none of which the law
// has seen) are nearer to it than those of networks at large. Eager programs are farther, by twice
// and three times: of eight asked blind (asked_blind_training.csv) four lay outside 0.13. Of
// adapters, and of cards with GDDR, there are few.
GpuRate GpuRates::as_language_model(GpuRate rate, const Target& target) const {
  constexpr double language_log_sd = 0.2;
  constexpr double large = 3e8;               // parameters
  constexpr double waits_for_launches = 0.1;  // of a step
  const auto& query = target.query;
  const bool known = rate.regime > RateRegime::interpolated &&
                     target.work->language_parameters >= large && has_backward(query.phase) &&
                     !query.tuning.adapters.any() && target.stack == Stack::current &&
                     bytes_per_element(target.precision) == 2 && target.gpu->stacked_memory;
  if (known && target.step(law_of(query), query.framework).launch_share < waits_for_launches) {
    const double apart = rate.publisher_log_sd;
    const double own = std::sqrt(std::max(0.0, rate.log_sd * rate.log_sd - apart * apart));
    rate.log_sd = std::hypot(std::min(own, language_log_sd), apart);
    rate.language = true;
  }
  return rate;
}

// The law had seen no figure of a denoiser when it was asked for those of calibration/pictures.csv:
// by frameworks it was nearer than of networks at large, by engines farther (AITemplate's of 2022
// are told twice too fast). Of adapters programs that people train them with at home were told 1.49
// times too fast at the median (31 rates, calibration/pictures_adapters.csv; most of U-Nets train
// text encoders too): time and width are set to them.
GpuRate GpuRates::as_denoiser(GpuRate rate, const Target& target) const {
  constexpr double framework_log_sd = 0.3;
  constexpr double engine_log_sd = 0.45;
  constexpr double adapters_log_sd = 0.45;
  constexpr double adapters_time = 1.35;
  if (target.work->denoises && target.query.tuning.adapters.any()) {
    rate.items_per_s /= adapters_time;
    rate.log_sd = std::max(rate.log_sd, adapters_log_sd);
  } else if (target.work->denoises) {
    rate.log_sd = is_engine(target.query.framework)
                      ? std::max(rate.log_sd, engine_log_sd)
                      : std::min(rate.log_sd, std::hypot(framework_log_sd, rate.publisher_log_sd));
  }
  return rate;
}

// No recommender had a part in the law's fit, and what random rows reach is assumed. Of steps of
// tens of thousands of samples of small layers programs differ much in what they fuse and how they
// wait for the host (calibration/recommenders.csv). Assumed.
GpuRate GpuRates::as_recommender(GpuRate rate, const Target& target) {
  constexpr double recommender_log_sd = 0.4;
  if (target.work->looks_up) {
    rate.log_sd = std::max(rate.log_sd, recommender_log_sd);
  }
  return rate;
}

std::optional<GpuRate> GpuRates::rate(std::string_view network,
                                      Phase phase,
                                      Precision wanted,
                                      std::string_view gpu,
                                      int batch,
                                      std::string_view excluding) const {
  return rate({.network = network,
               .phase = phase,
               .precision = wanted,
               .gpu = gpu,
               .batch = batch,
               .excluding_gpu = excluding});
}

// 1 where nothing was calibrated.
double GpuRates::interval_factor(const Target& target, RateRegime regime) const {
  // What was measured speaks for the program, whatever its framework is called.
  const auto found = interval_factors_.find(
      regime == RateRegime::carried
          ? carried_interval_name(target.stack, has_backward(target.query.phase))
          : interval_name(regime, target.stack, !target.query.framework.empty()));
  return found == interval_factors_.end() ? 1 : found->second;
}

// Of each framework its own answer; their mean.
GpuRate GpuRates::from_blend(const Target& target) const {
  const auto left = evidence_without_excluded(target.query);
  const std::span<const BlendFigure> figures = left ? *left : residuals_;
  std::vector<BlendPoint> points;
  std::vector<double> log_rates;
  std::vector<double> shares;
  for (const auto& [framework, share] : target.frameworks) {
    const auto step = target.step(law_of(target.query), framework);
    points.push_back(point_of(target));
    points.back().framework = number_of(framework);
    points.back().framework_family = number_of(framework_family(framework));
    points.back().launch_share = step.launch_share;
    log_rates.push_back(std::log(target.query.batch / step.seconds));
    shares.push_back(share);
  }
  const auto blends = blend_.at(points, figures);
  double mean = 0;
  double square = 0;
  double variance = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double log_rate = log_rates[i] + blends[i].log_correction;
    mean += shares[i] * log_rate;
    square += shares[i] * log_rate * log_rate;
    variance += shares[i] * blends[i].log_sd * blends[i].log_sd;
  }
  const double apart = std::sqrt(std::max(0.0, square - mean * mean));
  const bool whole = is_whole(target.query) && target.precision != Precision::fp8;
  const auto found = regime_of(target);
  const bool own = whole && (found == RateRegime::published || found == RateRegime::interpolated);
  const auto regime = whole || found > RateRegime::same_pair ? found : RateRegime::same_pair;
  return {std::exp(mean),
          std::hypot(std::sqrt(variance) * interval_factor(target, regime), apart),
          own ? Source::published : Source::scaled,
          target.precision,
          provenance_of(target, own),
          target.stack,
          regime,
          apart};
}

}  // namespace rightsize
