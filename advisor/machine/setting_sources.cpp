#include "advisor/machine/setting_sources.h"

#include <cmath>

namespace rightsize {
namespace {

constexpr double matters = 0.2;

}  // namespace

Source source_that_matters(const SettingSources& sources,
                           const SettingUncertainty& uncertainty,
                           const Prediction& prediction) {
  Source source = sources.model;
  const auto add = [&](double moved_sd, double sd, Source input) {
    if (sd > 0 && std::abs(moved_sd) > matters * sd) {
      source = weaker(source, input);
    }
  };
  add(prediction.accelerator_sd, uncertainty.accelerator, sources.accelerator);
  add(prediction.cpu_speed_sd, uncertainty.cpu_speed, sources.cpu_speed);
  add(prediction.disk_sd, uncertainty.disk, sources.disk);
  return source;
}

Source source_of_hours(Source of_rate,
                       Source of_disk,
                       const Prediction& prediction,
                       const JobLength& length) {
  const double moved = moving_share(prediction, length);
  const double sd = job_log_sd(prediction, length);
  const bool disk_matters = moved * length.moving_log_sd > matters * sd;
  const bool rate_matters = (1 - moved) * prediction.log_sd > matters * sd;
  return !disk_matters ? of_rate : rate_matters ? weaker(of_rate, of_disk) : of_disk;
}

}  // namespace rightsize
