// The tables behind GpuRates: read, numbered, and every figure set against the law.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/calibration_table.h"
#include "models/laws/gpu_rate.h"
#include "models/laws/gpu_rate_target.h"
#include "models/laws/gpu_share.h"
#include "models/laws/gpu_step_constants.h"
#include "models/laws/measured_step.h"
#include "models/laws/step_phase.h"
#include "models/laws/toolchain.h"
#include "models/model.h"

namespace rightsize {

GpuRates::GpuRates(std::string_view gpus_csv, std::string_view rates_csv, std::string_view step_csv)
    : GpuRates(parse_gpus(gpus_csv), parse_published_rates(rates_csv), step_csv) {}

GpuRates::GpuRates(std::vector<GpuSpec> gpus,
                   std::vector<PublishedRate> figures,
                   std::string_view step_csv,
                   const BlendEffects& effects)
    : gpus_(std::move(gpus)),
      shares_(shares_of(gpus_)),
      rates_(std::move(figures)),
      blend_(effects) {
  laws_.emplace("all", GpuStepLaw());
  read_step_constants(step_csv);
  refresh_residuals();
}

// A comma would end the field.
std::string interval_name(RateRegime regime, Stack stack, bool framework_told) {
  return fmt::format("interval {}; {}{}",
                     to_string(regime),
                     to_string(stack),
                     framework_told ? "; framework told" : "");
}

std::string carried_interval_name(Stack stack, bool backward) {
  return fmt::format("interval {}; {}; {}",
                     to_string(RateRegime::carried),
                     to_string(stack),
                     backward ? "with backward pass" : "forward");
}

// A row per constant, a column per fold; "interval ..." rows behind them.
void GpuRates::read_step_constants(std::string_view csv) {
  const auto rows = parse_table(csv, "calibration/gpu_step.csv");
  std::map<std::string, std::vector<double>> values;
  std::size_t next = 0;
  for (const auto& row : rows) {
    const auto& name = row.text("constant");
    if (name.starts_with("interval ")) {
      interval_factors_[name] = row.number("all");
      continue;
    }
    if (next >= step_constants().size() || name != step_constants()[next].name) {
      throw ModelError(fmt::format(
          "calibration/gpu_step.csv:{}: \"{}\" is not the constant expected here; make the table "
          "again with calibrate_gpu",
          row.line,
          name));
    }
    ++next;
    for (const auto& [field, text] : row.fields) {
      if (field != "constant") {
        values[field].push_back(row.number(field));
      }
    }
  }
  for (auto& [fold, constants] : values) {
    if (constants.size() == step_constants().size()) {
      laws_.insert_or_assign(fold, GpuStepLaw(std::move(constants)));
    }
  }
}

GpuRates GpuRates::afresh() const {
  auto copy = *this;
  copy.works_ = {};
  return copy;
}

void GpuRates::add_measured(std::span<const MeasuredRate> rates) {
  for (auto rate : rates) {
    if (const auto* known = works_.known(rate.network, rate.sequence, rate.phase)) {
      rate.network = known->name;
      rate.sequence = known->sequence;
    }
    if (rate.phase == Phase::decode) {  // no step of this law
      measured_decode_.push_back(rate);
      continue;
    }
    const bool of_user = !rate.said_by.empty();
    const auto* gpu = find(rate.gpu);
    const auto step = gpu == nullptr ? rate.step : step_as_run(rate, *gpu);
    rates_.push_back({rate.network,
                      rate.sequence,
                      rate.phase,
                      rate.precision,
                      rate.gpu,
                      rate.batch,
                      rate.items_per_s,
                      rate.stack,
                      of_user ? rate.framework : std::string(own_framework),
                      of_user ? fmt::format("measured on {}, as {} says", rate.gpu, rate.said_by)
                              : "measured on this machine's " + rate.gpu,
                      true,
                      of_user,
                      step,
                      rate.recompute_known});
  }
  refresh_residuals();
}

void GpuRates::refresh_residuals() {
  numbers_.clear();
  const auto number = [&](const std::string& name) {
    numbers_.emplace(name, static_cast<int>(numbers_.size()));
  };
  for (const auto& gpu : gpus_) {
    number(gpu.arch);
    number(die_of(gpu));
  }
  for (const auto& rate : rates_) {
    number(network_key(rate.network, rate.sequence));
    number(rate.framework);
    number(network_family(rate.network));
    number(framework_family(rate.framework));
  }
  residuals_.clear();
  for (const auto& rate : rates_) {
    if (!rate.measured) {  // which speaks by its factor (gpu_rate_measured.cpp)
      residuals_.push_back(residual_of(rate, laws_.at("all")));
    }
  }
}

int GpuRates::number_of(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? -1 : found->second;
}

BlendPoint GpuRates::point_of(const PublishedRate& figure) const {
  const auto* gpu = find(figure.gpu);
  return {number_of(network_key(figure.network, figure.sequence)),
          gpu == nullptr ? -1 : number_of(die_of(*gpu)),
          gpu == nullptr ? -1 : number_of(gpu->arch),
          gpu == nullptr ? -1 : chip_of(*gpu),
          number_of(figure.framework),
          number_of(network_family(figure.network)),
          number_of(framework_family(figure.framework)),
          figure.stack,
          figure.precision,
          figure.phase,
          std::log(figure.batch)};
}

BlendFigure GpuRates::residual_of(const PublishedRate& figure, const GpuStepLaw& law) const {
  const auto* gpu = find(figure.gpu);
  const auto* work = works_.find(figure.network, figure.sequence, figure.phase);
  if (gpu == nullptr || work == nullptr || figure.batch < 1 || figure.items_per_s <= 0) {
    return {{}, 0, false};
  }
  const StepSetting setting{figure.precision, figure.stack, figure.framework, figure.batch};
  const auto step = law.step(*work, *gpu, setting);
  auto point = point_of(figure);
  point.precision = compared_precision(figure.precision, *work);
  point.launch_share = step.launch_share;
  return {point, std::log(figure.items_per_s * step.seconds / figure.batch), true};
}

std::optional<double> GpuRates::launch_share(const RateQuery& asked) const {
  const auto query = as_known(asked);
  if (const auto share = gpu_share(query.gpu)) {  // of a step that is so many times as long
    auto whole = query;
    whole.gpu = share->whole;
    return launch_share(whole);
  }
  const auto* gpu = find(query.gpu);
  const auto* work = gpu == nullptr || !has_steps(query.phase) || query.batch < 1
                         ? nullptr
                         : works_.find(query.network,
                                       query.sequence,
                                       query.phase,
                                       query.recompute,
                                       query.tuning,
                                       query.tensor,
                                       query.expert_ranks,
                                       query.context,
                                       query.expert_tensor);
  if (work == nullptr) {
    return std::nullopt;
  }
  if (is_compiled_whole(*gpu)) {  // one call of a graph, which the law has
    return 0;
  }
  const auto precision = available_precision(*gpu, query.precision);
  return law_of(query)
      .step(*work,
            *gpu,
            {.precision = precision,
             .stack = query.stack.value_or(Stack::current),
             .framework = query.framework,
             .batch = query.batch,
             .sm_share = query.sm_share})
      .launch_share;
}

const GpuSpec* GpuRates::find(std::string_view gpu) const {
  const auto named = [&](std::string_view name) {
    const auto& among = gpu_share(name) ? shares_ : gpus_;
    const auto found = std::find_if(
        among.begin(), among.end(), [&](const GpuSpec& spec) { return spec.name == name; });
    return found == among.end() ? nullptr : &*found;
  };
  const auto* exact = named(gpu);
  return exact != nullptr ? exact : named(canonical_gpu_name(gpu));
}

}  // namespace rightsize
