#include "advisor/machine/one_thread_note.h"

#include <fmt/format.h>

#include "models/laws/host_cpu.h"
#include "models/predict.h"

namespace rightsize {

std::string one_thread_note(const Laws& laws, const Setting& setting) {
  const double miss = 1 - predicted_hit_ratio(laws, setting);
  const double alone_s = laws.serial_cpu_s / setting.cpu_speed;
  const double shared_s = (data_cpu_seconds(laws, setting, miss) - laws.serial_cpu_s) /
                          setting.cpu_speed / cpu_capacity(laws.scaling, setting.cpus);
  constexpr double most_to_gain = 1.0 / 3;
  if (alone_s <= 0 || shared_s > most_to_gain * alone_s ||
      bottleneck(bounds_of(laws, setting)) != Bound::cpu) {
    return "";
  }
  return fmt::format(
      "one thread writes, {:.3g} us of an item, and ends at {:.4g} items/s however many vCPUs "
      "there are: "
      "more of them hardly help, several jobs of a part of the data each do",
      1e6 * alone_s,
      1 / alone_s);
}

}  // namespace rightsize
