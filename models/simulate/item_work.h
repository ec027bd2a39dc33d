// What the items of a simulated data path ask of disk, CPU and accelerator, drawn at random with
// the laws' means.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/predict.h"
#include "models/setting.h"
#include "models/simulate/random.h"

namespace rightsize {

struct SimulationOptions;

namespace simulate {

class ItemWork {
 public:
  // `chunk` items are drawn at a time. Keeps references.
  ItemWork(const Laws& laws, const Setting& setting, const SimulationOptions& options, int chunk);

  // How many of the next `items` are not in the page cache.
  [[nodiscard]] int missed(int items) {
    if (cold_items_ > 0) {
      cold_items_ -= std::min(cold_items_, static_cast<std::uint64_t>(items));
      return items;
    }
    if (miss_ratio_ <= 0 || transfer_s_ <= 0) {
      return 0;
    }
    return miss_ratio_ >= 1 ? items : static_cast<int>(items * miss_ratio_ + random_.uniform());
  }

  // Of `items`, `missing` of which came from the disk.
  [[nodiscard]] double decode_core_seconds(int items, double missing) {
    return read_cpu_s_ * missing + decode_s_ * (measured_decodes_.empty()
                                                    ? items * random_.factor(decode_deviation_)
                                                    : sum_of_measured(items));
  }

  // The time of one step over its mean.
  [[nodiscard]] double step_factor() {
    return measured_steps_.empty() ? random_.factor(step_deviation_)
                                   : random_.one_of(measured_steps_);
  }

  [[nodiscard]] double seek_seconds() const { return seek_s_; }  // per missed item
  // Per missed item: what it takes of the disk's limit, and of the device's own time.
  [[nodiscard]] double transfer_seconds() const { return transfer_s_; }
  [[nodiscard]] double device_seconds() const { return device_s_; }
  // Until a disk that bursts has earned again what it takes; 0 of others.
  [[nodiscard]] double earning_seconds() const { return earning_s_; }

 private:
  [[nodiscard]] double sum_of_measured(int items);

  Random random_;
  std::span<const double> measured_decodes_;
  std::span<const double> measured_steps_;
  std::uint64_t cold_items_ = 0;  // still to come that nothing has read before
  double miss_ratio_ = 0;
  double transfer_s_ = 0;
  double device_s_ = 0;
  double earning_s_ = 0;
  double seek_s_ = 0;
  double decode_s_ = 0;
  double read_cpu_s_ = 0;  // per missed item
  double decode_deviation_ = 0;
  double step_deviation_ = 0;
};

}  // namespace simulate
}  // namespace rightsize
