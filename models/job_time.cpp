#include "models/job_time.h"

#include <algorithm>
#include <cmath>

#include "models/disk_credits.h"

namespace rightsize {

double job_seconds(const Prediction& prediction, const JobLength& length) {
  return length.moving_s + length.first_items() / prediction.cold_items_per_s +
         length.later_items() / prediction.items_per_s;
}

double moving_share(const Prediction& prediction, const JobLength& length) {
  return length.moving_s / job_seconds(prediction, length);
}

double job_log_sd(const Prediction& prediction, const JobLength& length) {
  const double moved = moving_share(prediction, length);
  const double of_disk = (1 - moved) * prediction.disk_sd + moved * length.moving_log_sd;
  const double square =
      prediction.log_sd * prediction.log_sd - prediction.disk_sd * prediction.disk_sd;
  return std::hypot((1 - moved) * std::sqrt(std::max(0.0, square)), of_disk);
}

double job_faster(const Prediction& prediction, const JobLength& length) {
  const double sd = job_log_sd(prediction, length);
  if (prediction.faster == 1 || sd <= 0) {
    return 1;
  }
  auto faster = prediction;
  faster.log_sd *= prediction.faster;
  faster.disk_sd *= prediction.faster;
  return std::min(1.0, job_log_sd(faster, length) / sd);
}

Setting lasting(Setting machine, double epochs) {
  if (epochs <= 1) {
    machine.memory_bytes = 0;
  }
  return machine;
}

namespace {

// Where the disk limits neither the first epoch nor the later ones, more of it changes nothing.
bool disk_matters(const Laws& laws, const Setting& setting) {
  constexpr double nearly = 0.99;
  constexpr double far = 4;
  const SettingBounds at(laws, setting);
  const double plain = composed_items_per_s(at.bounds(), laws.sharpness);
  const double cold = composed_items_per_s(at.with_miss(1), laws.sharpness);
  return cold < nearly * plain || at.bounds()[Bound::disk] < far * plain;
}

}  // namespace

JobPrediction predict_job(const Predictor& predictor,
                          const Setting& machine,
                          const SettingUncertainty& uncertainty,
                          const JobLength& length) {
  const auto setting = lasting(machine, length.epochs);
  if (!bursts(setting.disk) || !disk_matters(predictor.laws(), setting)) {
    return {predictor.predict(setting, uncertainty), setting.disk};
  }
  const auto epochs =
      epochs_on_credit(predictor.laws(), setting, length.first_items(), length.later_items());
  auto later = setting;
  later.disk = epochs.later;
  JobPrediction job{predictor.predict(later, uncertainty), epochs.later, true};
  job.prediction.cold_items_per_s = length.first_items() / epochs.first_s;
  return job;
}

}  // namespace rightsize
