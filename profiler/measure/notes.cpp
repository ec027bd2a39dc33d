#include "profiler/measure/notes.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace rightsize {
namespace {

// Speed is what is measured; but a loss that left all bounds is no training that anybody wants.
std::optional<std::string> diverged(const Record& record) {
  constexpr double out_of_bounds = 100;
  const bool trained =
      record.workload.phase == Phase::train && record.first_loss && record.last_loss;
  if (!trained || *record.last_loss < out_of_bounds * std::max(1.0, *record.first_loss)) {
    return std::nullopt;
  }
  return fmt::format(
      "the loss diverged, from {:.3g} to {:.3g}: the speed is that of these steps, but the network "
      "learns nothing at this batch",
      *record.first_loss,
      *record.last_loss);
}

// Nothing is wrong with it, but who asked what a slow disk does looks at the wrong number. Without
// a control group the loader itself is slowed, and what is cached with it.
std::optional<std::string> served_from_memory(const Record& record) {
  constexpr double hardly = 0.05;
  const auto& limits = record.limits;
  const bool slow_disk = limits.disk_read_bytes_per_s > 0 || limits.disk_read_iops > 0;
  const auto asked = static_cast<double>(record.bytes_requested);
  const bool on_disk_alone = record.throttle.starts_with("cgroup");
  if (!slow_disk || !on_disk_alone || !record.cold_items_per_s || asked <= 0 ||
      static_cast<double>(record.disk_read_bytes) > hardly * asked) {
    return std::nullopt;
  }
  return fmt::format(
      "the limit of the disk acted in the first epoch alone ({:.4g} items/s): later ones read next "
      "to nothing from it; a lower memory limit shows more of the disk",
      *record.cold_items_per_s);
}

}  // namespace

void add_notes(Record& record) {
  for (auto& note : {diverged(record), served_from_memory(record)}) {
    if (note) {
      record.throttle_notes.push_back(*note);
    }
  }
}

}  // namespace rightsize
