#include "models/observation.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>

#include "models/predict.h"

namespace rightsize {
namespace {

// Steps seen by bytes read or CPU seconds spent are progress, not items.
bool counts_items(const Record& record) {
  const auto steps = record.software.find("steps");
  return record.command.empty() || steps == record.software.end() ||
         (!steps->second.starts_with("io") && !steps->second.starts_with("cpu"));
}

// What was run and under which limits, not what it was called: each rightsize profile has its own
// campaign, named as all others.
std::string cell_of(const Record& record) {
  return boost::json::serialize(boost::json::array{
      to_json(record.workload), to_json(record.limits), boost::json::string(record.command)});
}

}  // namespace

std::vector<Observation> observations_of(std::span<const Record> records,
                                         const FitOptions& options) {
  std::vector<Observation> found;
  for (const auto& record : records) {
    const bool on_gpu = record.workload.engine == EngineKind::gpu;  // a rate, not a law: see below
    const bool several = record.workload.ranks > 1;                 // no law for their exchange yet
    // Of other tools' files: nobody said under which limits.
    const bool imported = !record.command.empty() && record.throttle.empty();
    // What a program of the user's reads is not known: its vCPUs are a law, its disk is none.
    const bool fed_unseen = !record.command.empty() && (record.limits.disk_read_bytes_per_s > 0 ||
                                                        record.limits.disk_read_iops > 0);
    if (is_usable(record) && !record.hold_out && !on_gpu && !several && !imported && !fed_unseen &&
        counts_items(record)) {
      const double noise =
          record.throughput.relative_noise / std::sqrt(std::max(1, record.throughput.samples));
      found.push_back({&record,
                       setting_of(record),
                       std::log(record.throughput.median),
                       std::hypot(options.noise_floor, noise),
                       -1,
                       cell_of(record)});
    }
  }
  return found;
}

std::vector<Observation> cold_observations_of(std::span<const Observation> warm) {
  constexpr double cold_sd = 0.06;
  constexpr double most_of_it = 0.7;
  std::vector<Observation> found;
  for (const auto& seen : warm) {
    const auto& limits = seen.record->limits;
    if (limits.disk_read_bytes_per_s > 0 &&
        seen.record->cold_items_per_s.value_or(0) * bytes_per_item(seen.setting) >
            most_of_it * limits.disk_read_bytes_per_s) {
      auto cold = seen;
      cold.log_measured = std::log(*seen.record->cold_items_per_s);
      cold.sd = cold_sd;
      cold.miss = 1;
      found.push_back(cold);
    }
  }
  return found;
}

double log_predicted(const Laws& laws, const Observation& seen) {
  return std::log(composed_items_per_s(bounds_of(laws, seen.setting, seen.miss), laws.sharpness));
}

}  // namespace rightsize
