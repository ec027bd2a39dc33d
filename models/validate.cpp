#include "models/validate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/network.h"
#include "models/carry.h"
#include "models/laws/cpu_kind.h"
#include "models/laws/gpu_step.h"
#include "models/predict.h"
#include "models/setting.h"
#include "models/workload_parts.h"
#include "profiler/quantile.h"

namespace rightsize {
namespace {

constexpr double largest_factor = 4.0;  // standard deviations

bool can_predict(const Model& model, const Workload& workload) {
  try {
    static_cast<void>(laws_of(model, workload));
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

bool is_predictable(const Record& record) {
  return is_usable(record) && record.workload.engine != EngineKind::gpu;
}

// By the slower end of the run: what a neighbour takes then is missing in the rate too.
MeasuredCpu cpu_measured(const Record& record) {
  const auto& speed = record.core_speed;
  return {record.machine.cpu_model, speed ? std::min(speed->before_per_s, speed->after_per_s) : 0};
}

// The CPU of `record`, at the vector width that was asked for.
CpuKind cpu_of(const Record& record) {
  return machine_cpu_kind(record.machine, record.limits.isa)
      .value_or(usual_cpu_kind(Stack::current));
}

// Copies that train together share memory and its bandwidth, and the law of networks on CPUs is one
// of FP32 and of BF16 where there are units for it: neither is asked for on other machines. A rate
// that its own run knows no better than to a fifth judges nobody.
bool is_carried(const Record& record) {
  const auto& work = record.workload;
  const auto& rate = record.throughput;
  return is_predictable(record) && record.command.empty() && work.ranks <= 1 &&
         (!computes_on_cpu(work) ||
          cpu_precision(cpu_of(record), work.precision, Stack::current) == work.precision) &&
         rate.high - rate.low <= 0.4 * rate.median;
}

// As predict decides: measured steps hold for CPUs of the model's kind alone.
bool goes_by_law(const Model& model, const Record& record) {
  return computes_on_cpu(record.workload) &&
         (!measured_compute(model, record.workload) || another_cpu_kind(model, cpu_of(record)));
}

// A network on the CPU of `record`.
Model with_law_of(const Model& model, const Record& record, const Setting& setting) {
  const auto& workload = record.workload;
  return with_cpu_law(model,
                      workload,
                      cpu_work(make_network(workload.network, workload.sequence), workload.phase),
                      cpu_anchor(model, workload, Stack::current),
                      {cpu_of(record), Stack::current, setting.cpus, setting.cpu_speed});
}

void add_row(Validation& validation,
             const Model& model,
             const Record& record,
             const Setting& setting,
             const SettingUncertainty& uncertainty,
             Source source) {
  if (!can_predict(model, record.workload)) {
    validation.unpredicted.push_back(record.name);
    return;
  }
  const Predictor predictor(model, record.workload);
  const auto prediction = predictor.predict(setting, uncertainty);
  ValidationRow row;
  row.id = record.id;
  row.name = record.name;
  row.measured = record.throughput.median;
  row.predicted = predictor.estimate(prediction, source);
  row.relative_error = row.predicted.value / row.measured - 1;
  row.limited_by = prediction.limited_by;
  row.inside = row.measured >= row.predicted.low && row.measured <= row.predicted.high;
  validation.rows.push_back(row);
}

}  // namespace

void summarise(Validation& validation) {
  if (validation.rows.empty()) {
    return;
  }
  std::vector<double> errors;
  double inside = 0;
  for (const auto& row : validation.rows) {
    errors.push_back(std::abs(row.relative_error));
    inside += row.inside ? 1 : 0;
  }
  validation.coverage = inside / static_cast<double>(errors.size());
  validation.median_error = quantile(errors, 0.5);
  validation.p90_error = quantile(errors, 0.9);
}

Validation validate_held_out(const Model& model, std::span<const Record> records) {
  Validation validation;
  for (const auto& record : records) {
    if (record.hold_out && is_predictable(record)) {
      add_row(validation, model, record, setting_of(record), {}, Source::fitted);
    }
  }
  summarise(validation);
  return validation;
}

Validation validate_carried(const Model& model,
                            std::span<const Record> records,
                            const CpuSpeeds& speeds) {
  const auto carried = carried_model(model, {.other_cpu = true});
  Validation validation;
  for (const auto& record : records) {
    if (!is_carried(record) || record.machine.cpu_model == model.cpu_model) {
      continue;
    }
    auto setting = setting_of(record);
    const auto speed = speeds.between(cpu_measured(record), model.cpu());
    setting.cpu_speed = speed.factor;
    if (goes_by_law(carried, record)) {
      add_row(
          validation, with_law_of(carried, record, setting), record, setting, {}, Source::scaled);
    } else {
      const SettingUncertainty uncertainty{0, speed.log_sd, 0};
      add_row(validation, carried, record, setting, uncertainty, speed.source);
    }
  }
  summarise(validation);
  return validation;
}

Validation limited_by(const Validation& validation, Bound resource) {
  Validation part;
  for (const auto& row : validation.rows) {
    if (row.limited_by == resource) {
      part.rows.push_back(row);
    }
  }
  summarise(part);
  return part;
}

namespace {

// Fewer than nine have no 90th percentile of their own; of forty it is to be believed.
double least_factor(double runs) {
  constexpr double handful = 9;
  constexpr double many = 40;
  const double believed = std::clamp((runs - handful) / (many - handful), 0.0, 1.0);
  return normal_90 + believed * (1 - normal_90);
}

}  // namespace

void calibrate_intervals(Model& model, std::span<const FittedRun> runs) {
  std::vector<double> errors;
  std::vector<double> scores;
  for (const auto& run : runs) {
    if (run.predicted > 0 && run.log_sd > 0) {
      errors.push_back(std::abs(run.predicted / run.measured - 1));
      scores.push_back(std::abs(std::log(run.predicted / run.measured)) / run.log_sd);
    }
  }
  if (scores.empty()) {
    return;
  }
  std::sort(scores.begin(), scores.end());
  const auto count = static_cast<double>(scores.size());
  const auto rank =
      static_cast<std::size_t>(std::min(count, std::ceil((count + 1) * model.confidence)));
  // A handful of lucky runs must not shrink the interval below what the fit itself believes; one
  // run that no law explains must not stretch it over everything (coverage then says so).
  model.interval_factor = std::clamp(scores[rank - 1], least_factor(count), largest_factor);
  model.cv_median_error = quantile(errors, 0.5);
  model.cv_p90_error = quantile(errors, 0.9);
  const auto inside = std::count_if(
      scores.begin(), scores.end(), [&](double score) { return score <= model.interval_factor; });
  model.cv_coverage = static_cast<double>(inside) / count;
}

bool was_cross_validated(const Model& model) {
  return model.cv_coverage > 0 || model.cv_median_error > 0;  // who misses all has an error
}

}  // namespace rightsize
