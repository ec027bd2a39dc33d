#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "kernels/work.h"
#include "models/laws/compiled_rate.h"
#include "models/laws/framework_habits.h"
#include "models/laws/gpu_rate_target.h"
#include "models/laws/gpu_share.h"
#include "models/laws/gpu_step_constants.h"
#include "models/laws/measured_decode.h"
#include "models/laws/peak_bound.h"
#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

GpuRate as_writer(GpuRate rate, const GpuWork& work) {
  rate.log_sd = work.written.any() ? std::max(rate.log_sd, writing_log_sd) : rate.log_sd;
  return rate;
}

// No faster than a step of `least_s` is; what ran at that very batch ran.
GpuRate within_peak(GpuRate rate, int batch, double least_s) {
  if (rate.regime != RateRegime::measured && rate.items_per_s * least_s > batch) {
    rate.items_per_s = batch / least_s;
    rate.provenance += "; no faster than its matrix products at the GPU's peak";
  }
  return rate;
}

// TF32 moves as many bytes, and its products are no slower; what figures say of FP32 beyond that
// was often TF32's (PyTorch's convolutions by default).
GpuRate no_faster_than_tf32(GpuRate rate, RateQuery query, const GpuRates& rates) {
  query.precision = Precision::tf32;
  if (rate.source == Source::published) {
    return rate;
  }
  if (const auto tf32 = rates.rate(query); tf32 && tf32->items_per_s < rate.items_per_s) {
    rate.items_per_s = tf32->items_per_s;
    rate.provenance += "; no faster than in TF32";
  }
  return rate;
}

std::string fold_of(const RateQuery& query) {
  if (!query.excluding_gpu.empty()) {
    return fmt::format("gpu {}", query.excluding_gpu);
  }
  return query.excluding_network.empty() ? "all"
                                         : fmt::format("network {}", query.excluding_network);
}

}  // namespace

// A network of a file by the name that figures have of what computes the same.
RateQuery GpuRates::as_known(RateQuery query) const {
  if (const auto* known = works_.known(query.network, query.sequence, query.phase)) {
    query.network = known->name;
    query.sequence = known->sequence;
  }
  return query;
}

const GpuStepLaw& GpuRates::law_of(const RateQuery& query) const {
  const auto fold = laws_.find(fold_of(query));
  return fold == laws_.end() ? laws_.at("all") : fold->second;
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
        compared_precision(figure.precision, *target.work) == target.kept() &&
        !excluded(query, figure) && is_engine(figure.framework) == is_engine(query.framework) &&
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
                            query.context,
                            query.expert_tensor);
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

bool GpuRates::is_measured_on(std::string_view gpu) const {
  return std::any_of(rates_.begin(), rates_.end(), [&](const PublishedRate& rate) {
    return rate.measured && rate.gpu == gpu;
  });
}

std::optional<GpuRate> GpuRates::rate_of_share(const RateQuery& query,
                                               const GpuShare& share) const {
  auto whole = query;
  whole.gpu = share.whole;
  auto rate = this->rate(whole);
  if (rate) {
    const double longer = times_as_long(share, launch_share(whole).value_or(0));
    rate->items_per_s /= longer;
    rate->log_sd = std::hypot(rate->log_sd, gpu_share_log_sd);
    rate->source = weaker(rate->source, Source::scaled);
    rate->provenance += fmt::format(
        "; a step {:.3g} times as long on this share of the GPU's "
        "time, as nothing is published about any",
        longer);
  }
  return rate;
}

std::optional<GpuRate> GpuRates::rate(const RateQuery& asked) const {
  const auto query = as_known(asked);
  const auto* gpu = find(query.gpu);
  if (gpu == nullptr || query.phase == Phase::preprocess || query.batch < 1) {
    return std::nullopt;
  }
  if (const auto share = gpu_share(gpu->name); share && !is_measured_on(gpu->name)) {
    return rate_of_share(query, *share);
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
  if (is_compiled_whole(*gpu)) {
    return has_all(query) ? compiled_rate(query, *gpu, *target->work, target->measured)
                          : std::nullopt;
  }
  const double least =
      least_step_seconds(*target->work, *target->gpu, target->setting_of(query.framework));
  if (auto measured = from_measured(*target)) {
    return within_peak(*measured, query.batch, least);
  }
  const auto blend = from_blend(*target);
  const auto by_figures =
      target->measured.empty()
          ? as_recommender(
                as_writer(as_denoiser(as_language_model(blend, *target), *target), *target->work),
                *target)
          : carried(blend, *target);
  const auto rate = within_peak(as_of_instinct(by_figures, *target), query.batch, least);
  const bool has_tf32 = available_precision(*gpu, Precision::tf32) == Precision::tf32;
  return has_tf32 && target->precision == Precision::fp32 ? no_faster_than_tf32(rate, query, *this)
                                                          : rate;
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

// No recommender had a part in the law's fit, and what random rows reach is assumed; launches and
// starts are set (recommender_host.h). On the chips whose rates are known so wide that nine in ten
// of those that had no part in that lie inside (calibration/recommenders_unseen.csv), on others no
// narrower than of any network.
GpuRate GpuRates::as_recommender(GpuRate rate, const Target& target) {
  constexpr double recommender_log_sd = 0.3;
  if (target.work->looks_up) {
    const double apart = rate.publisher_log_sd;
    const double own = std::sqrt(std::max(0.0, rate.log_sd * rate.log_sd - apart * apart));
    const Chip chip = chip_of(*target.gpu);
    const bool known = chip == volta || chip == ampere;
    rate.log_sd = std::hypot(known ? recommender_log_sd : std::max(own, recommender_log_sd), apart);
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

}  // namespace rightsize
