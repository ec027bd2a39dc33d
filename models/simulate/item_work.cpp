#include "models/simulate/item_work.h"

#include <cmath>

#include "models/simulate/pipeline.h"

namespace rightsize::simulate {

ItemWork::ItemWork(const Laws& laws,
                   const Setting& setting,
                   const SimulationOptions& options,
                   int chunk)
    : random_(options.seed),
      measured_decodes_(options.decode_factors),
      measured_steps_(options.step_factors),
      cold_items_(bytes_per_item(setting) > 0 ? options.cold_items : 0),
      miss_ratio_(options.miss_ratio >= 0 ? options.miss_ratio
                                          : 1.0 - predicted_hit_ratio(laws, setting)),
      decode_s_(decode_cpu_seconds(laws, setting) / setting.cpu_speed),
      read_cpu_s_(laws.read_cpu_s_per_byte * laws.disk.amplification * bytes_per_item(setting) /
                  setting.cpu_speed),
      // Of the sum of a chunk's independent items.
      decode_deviation_(options.decode_deviation / std::sqrt(static_cast<double>(chunk))),
      step_deviation_(options.step_deviation) {
  const double bytes = bytes_per_item(setting);
  if (bytes > 0) {
    const DiskSpeed whole = effective_disk(laws, setting);
    const DiskSpeed disk = at_burst(whole);
    if (bursts(whole)) {
      earning_s_ = requests_per_item(whole, bytes * laws.disk.amplification) / whole.iops;
    }
    transfer_s_ = 1.0 / disk_items_per_s(disk, laws.disk, bytes, 1.0);
    seek_s_ = disk_seconds_per_item(disk, laws.disk, bytes, 1.0) - transfer_s_;
    device_s_ = 1.0 / disk_items_per_s(unqueued_disk(laws, setting), laws.disk, bytes, 1.0);
  }
}

double ItemWork::sum_of_measured(int items) {
  double sum = 0;
  for (int item = 0; item < items; ++item) {
    sum += random_.one_of(measured_decodes_);
  }
  return sum;
}

}  // namespace rightsize::simulate
