#include "advisor/machine/setting_sources.h"

#include <cmath>

namespace rightsize {

Source source_that_matters(const SettingSources& sources,
                           const SettingUncertainty& uncertainty,
                           const Prediction& prediction) {
  constexpr double matters = 0.2;
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

}  // namespace rightsize
