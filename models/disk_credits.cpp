#include "models/disk_credits.h"

#include <algorithm>
#include <limits>

#include "models/pipeline.h"
#include "models/predict.h"

namespace rightsize {

double seconds_on_credit(const Laws& laws, const Setting& setting, double items, double miss) {
  const SettingBounds at(laws, setting, miss);
  const auto seconds_at = [&](double average_over_s) {
    const auto bounds = at.with_disk(averaged(setting.disk, average_over_s));
    return items / composed_items_per_s(bounds, laws.sharpness);
  };
  double low = seconds_at(1e-9);  // in the burst all the time
  double high = seconds_at(std::numeric_limits<double>::infinity());
  for (int halving = 0; halving < 40 && high > low * (1 + 1e-4); ++halving) {
    const double middle = (low + high) / 2;
    (seconds_at(middle) > middle ? low : high) = middle;
  }
  return high;
}

DiskSpeed left_after(DiskSpeed disk, double seconds, double requests) {
  const double spent = requests - disk.iops * seconds;
  disk.io_credits = std::clamp(disk.io_credits - spent, 0.0, disk.io_credits);
  return disk;
}

EpochsOnCredit epochs_on_credit(const Laws& laws,
                                const Setting& setting,
                                double first,
                                double later) {
  EpochsOnCredit epochs;
  epochs.first_s = seconds_on_credit(laws, setting, first, 1);
  if (later <= 0) {
    epochs.later = averaged(setting.disk, epochs.first_s);
    return epochs;
  }
  auto afterwards = setting;
  const double each =
      requests_per_item(setting.disk, bytes_per_item(setting) * laws.disk.amplification);
  afterwards.disk = left_after(setting.disk, epochs.first_s, first * each);
  epochs.later = averaged(afterwards.disk, seconds_on_credit(laws, afterwards, later, -1));
  return epochs;
}

}  // namespace rightsize
