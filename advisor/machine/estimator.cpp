#include "advisor/machine/estimator.h"

#include <cmath>
#include <stdexcept>

#include "advisor/candidate/sound_words.h"
#include "advisor/machine/bottleneck.h"
#include "advisor/machine/disk_reading.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "models/carry.h"

namespace rightsize {
namespace {

// A step whose data is already there: its rate and nothing else.
Prediction direct_prediction(const Estimator::Plan& plan) {
  Prediction prediction;
  prediction.bounds = unlimited();
  prediction.bounds[Bound::accelerator] = plan.setting.accelerator_items_per_s;
  prediction.items_per_s = plan.setting.accelerator_items_per_s;
  prediction.cold_items_per_s = prediction.items_per_s;
  prediction.log_sd = plan.uncertainty.accelerator;
  prediction.accelerator_sd = plan.uncertainty.accelerator;
  prediction.limited_by = Bound::accelerator;
  prediction.busy = utilisation(prediction.bounds, prediction.items_per_s);
  return prediction;
}

// One node's: what its disk gives while credits last.
DiskBurst burst_of(const Predictor& predictor, const Setting& setting) {
  auto bursting = setting;
  bursting.disk = at_burst(setting.disk);
  const auto prediction = predictor.predict(bursting);
  const double amplified = bytes_per_item(setting) * predictor.laws().disk.amplification;
  const double spent_per_s =
      prediction.cold_items_per_s * requests_per_item(setting.disk, amplified) - setting.disk.iops;
  return {prediction.items_per_s,
          prediction.cold_items_per_s,
          spent_per_s > 0 ? std::optional(setting.disk.io_credits / spent_per_s) : std::nullopt};
}

// The source of the hours is the answer's own (answered below). What is computed and what is moved
// miss their times independently of each other.
JobTime job_time(const Prediction& one, const JobLength& length) {
  const double seconds = job_seconds(one, length);
  const double computing_s = seconds - length.moving_s;
  const double spread = std::exp(normal_90 * one.log_sd);
  const double of_moving = std::exp(normal_90 * length.moving_log_sd);
  const double sooner_s = computing_s * (1 - one.items_per_s / high_items_per_s(one, spread));
  const double later_s = computing_s * (one.items_per_s / low_items_per_s(one, spread) - 1);
  return {length.epochs,
          {seconds / 3600,
           (seconds - std::hypot(sooner_s, length.moving_s * (1 - 1 / of_moving))) / 3600,
           (seconds + std::hypot(later_s, length.moving_s * (of_moving - 1))) / 3600,
           0.9,
           "h",
           Source::assumed},
          (length.first_items() + length.later_items()) / computing_s,
          false,
          length.moving_s};
}

}  // namespace

Estimator::Estimator(
    Model model, GpuRates gpu_rates, CpuSpeeds cpu_speeds, Catalog catalog, std::string model_note)
    : measured_(std::move(model)),
      model_(carried_model(measured_, {.other_cpu = true})),
      gpu_rates_(std::move(gpu_rates)),
      cpu_speeds_(std::move(cpu_speeds)),
      catalog_(std::move(catalog)),
      model_note_(std::move(model_note)) {}

const NetworkFacts* Estimator::facts(const Configuration& asked, Answer& answer) {
  const std::tuple key{asked.network, asked.sequence, asked.tuning, has_backward(asked.phase)};
  auto found = facts_.find(key);
  if (found == facts_.end()) {
    try {
      auto made =
          std::make_unique<NetworkFacts>(asked.network, asked.sequence, asked.tuning, asked.phase);
      found = facts_.emplace(key, std::move(made)).first;
    } catch (const std::runtime_error& error) {  // UnknownNetwork, EngineError: the file or name
      answer.reason = error.what();
      return nullptr;
    }
  }
  return found->second.get();
}

const Model& Estimator::model_of(const Plan& plan) const {
  return plan.model ? *plan.model : model_;
}

void Estimator::Plan::set_moving(const DiskSpeed& disk) {
  if (length) {
    length->moving_s = model_files.moving_s(disk, nodes);
    length->moving_log_sd = uncertainty.disk;
  }
}

// One node behind its data path, over a job's epochs where they are stated.
void Estimator::predict_host(const Plan& plan, Answer& answer) const {
  const Predictor predictor(model_of(plan), plan.setting.workload);
  if (plan.length) {
    const auto job = predict_job(predictor, plan.setting, plan.uncertainty, *plan.length);
    answer.prediction = job.prediction;
    answer.job = job_time(job.prediction, *plan.length);
    answer.job->mean_items_per_s *= plan.nodes;
    answer.job->on_disk_credits = job.on_credit;
    return;
  }
  answer.prediction = predictor.predict(plan.setting, plan.uncertainty);
  if (bursts(plan.setting.disk) && plan.host_matters) {
    answer.burst = burst_of(predictor, plan.setting);
    answer.burst->items_per_s *= plan.nodes;
    answer.burst->cold_items_per_s *= plan.nodes;
  }
}

Answer Estimator::estimate(const Configuration& asked) {
  Answer answer;
  const auto planned = plan(asked, answer);
  return planned ? answered(asked, *planned, std::move(answer)) : answer;
}

Answer Estimator::estimate(const Configuration& asked, const DiskChoice& disk) {
  Configuration unnamed = asked;
  unnamed.machine.disk.clear();
  unnamed.machine.instance.clear();  // whose disks would be looked through
  Answer answer;
  auto planned = plan(unnamed, answer);
  if (!planned) {
    return answer;
  }
  if (planned->setting.workload.data != DataFormat::synthetic) {
    planned->setting.disk = disk_for_job(disk.speed, reading_of(asked));
  }
  planned->uncertainty.disk = disk.log_sd;
  planned->sources.disk = disk.source;
  planned->set_moving(disk.speed);
  return answered(unnamed, *planned, std::move(answer));
}

Answer Estimator::answered(const Configuration& asked, const Plan& plan, Answer answer) const {
  const bool on_gpu = !asked.machine.gpu.empty();
  if (on_gpu && !plan.host_matters && !asked.of_job) {
    answer.prediction = direct_prediction(plan);
  } else {
    predict_host(plan, answer);
  }
  answer.prediction = of_nodes(std::move(answer.prediction), plan.nodes);
  const double spread = std::exp(normal_90 * answer.prediction.log_sd);
  const double value = answer.prediction.items_per_s;
  const Source source = source_that_matters(plan.sources, plan.uncertainty, answer.prediction);
  answer.throughput = {value,
                       low_items_per_s(answer.prediction, spread),
                       high_items_per_s(answer.prediction, spread),
                       0.9,
                       plan.unit,
                       source};
  if (hears(asked.network)) {
    answer.notes.push_back(sound_left_out(value));
  }
  if (auto slower = slower_whole_programs(asked.network, asked.phase); !slower.empty()) {
    answer.notes.push_back(std::move(slower));
  }
  if (answer.job) {
    answer.job->hours.source =
        source_of_hours(source, plan.sources.disk, answer.prediction, *plan.length);
  }
  answer.bottleneck = bottleneck_word(answer.scaling_efficiency, answer.prediction.limited_by);
  if (const auto* gpu = on_gpu ? gpu_rates_.find(asked.machine.gpu) : nullptr; gpu != nullptr) {
    if (const auto power = power_of(*gpu)) {
      const auto accelerator = static_cast<std::size_t>(Bound::accelerator);
      answer.energy =
          energy_of(*power,
                    asked.machine.gpus(),
                    answer.prediction.busy[accelerator] * std::min(1.0, answer.scaling_efficiency),
                    answer.throughput);
    }
  }
  return answer;
}

}  // namespace rightsize
