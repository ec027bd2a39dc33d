#include "models/priors.h"

#include <algorithm>
#include <limits>

#include "models/predict.h"
#include "models/seldom_measured.h"
#include "models/workload_parts.h"

namespace rightsize {
namespace {

constexpr double usual_reading_s_per_byte = 1e-9;  // of CPU time
constexpr double usual_latency_s = 3e-4;           // of a disk, until the first byte

}  // namespace

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Priors::Priors(std::span<const Observation> observations, double disk_bytes_per_s)
    : known_disk_(disk_bytes_per_s) {
  for (const auto& seen : observations) {
    const auto& record = *seen.record;
    const bool on_cpu = computes_on_cpu(record.workload);
    const bool with_data = has_data_path(record.workload);
    if (on_cpu) {
      compute_[compute_key(record.workload)].push_back(seen.setting.cpus /
                                                       record.throughput.median);
    } else if (with_data && record.cpu_s_per_item > 0) {
      const auto items = static_cast<double>(std::max<std::uint64_t>(1, record.items));
      data_[data_key(record.workload)].push_back(
          {record.cpu_s_per_item,
           static_cast<double>(record.disk_read_bytes) / items,
           bytes_per_item(seen.setting)});
    }
    if (on_cpu && with_data) {
      data_with_compute_.insert(data_key(record.workload));
    }
    if (record.seconds > 0) {
      fastest_disk_ =
          std::max(fastest_disk_, static_cast<double>(record.disk_read_bytes) / record.seconds);
    }
    note_wait(record);
    if (record.workload.engine == EngineKind::replay && record.stages.copy > 0) {
      copy_.push_back(record.stages.copy);
    }
    if (record.workload.phase == Phase::preprocess && record.stages.write > 0) {
      serial_[data_key(record.workload)].push_back(record.stages.write);
    }
    if (with_data && record.bytes_requested > 0) {
      auto& most = amplification_[data_key(record.workload)];
      most = std::max(most,
                      static_cast<double>(record.disk_read_bytes) /
                          static_cast<double>(record.bytes_requested));
    }
  }
}

// How long a reader that the disk's limit hardly held back waited for an item that was not cached:
// no disk can be slower than the least of it, less what reading costs the CPU.
void Priors::note_wait(const Record& record) {
  constexpr double enough = 0.3;  // of what was asked for
  const auto items = static_cast<double>(std::max<std::uint64_t>(1, record.items));
  const double asked = static_cast<double>(record.bytes_requested) / items;
  const double read = static_cast<double>(record.disk_read_bytes) / items;
  if (!record.workload.shuffle || asked <= 0 || read < enough * asked) {
    return;
  }
  const double wait_s =
      std::max(record.stages.read / 10, record.stages.read - usual_reading_s_per_byte * read) *
      std::max(1.0, asked / read);
  if (record.stages.read > 0 && (least_wait_s_ <= 0 || wait_s < least_wait_s_)) {
    least_wait_s_ = wait_s;
    waited_bytes_ = std::max(read, asked);
  }
}

// The slope of CPU time over bytes read from the disk, a line by least squares, where the runs
// differ enough in what the page cache held. Else block requests, and room made and found in the
// page cache, are taken to cost 4 us for 4 KiB.
Parameter Priors::reading_cost(const std::string& key, const std::vector<DataCost>& runs) {
  constexpr double usual = usual_reading_s_per_byte;
  constexpr std::size_t enough_runs = 4;
  constexpr double enough = 0.3;  // of an item's bytes, between the run that read least and most
  Parameter cost{"read_cpu_s_per_byte/" + key, "vCPU s/B", usual, usual, 0.7, 0.7};
  double mean_read = 0;
  double mean_cpu = 0;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const auto& run : runs) {
    mean_read += run.read_bytes / static_cast<double>(runs.size());
    mean_cpu += run.cpu_s / static_cast<double>(runs.size());
    least = std::min(least, run.read_bytes);
    most = std::max(most, run.read_bytes);
  }
  double together = 0;
  double spread = 0;
  for (const auto& run : runs) {
    together += (run.read_bytes - mean_read) * (run.cpu_s - mean_cpu);
    spread += (run.read_bytes - mean_read) * (run.read_bytes - mean_read);
  }
  if (most - least > enough * runs.front().bytes && together > 0) {
    const double slope = together / spread;
    cost.prior = std::clamp(slope, usual / 10, usual * 10);
    cost.value = cost.prior;
    cost.prior_sd = slope == cost.prior && runs.size() >= enough_runs ? 0.3 : cost.prior_sd;
  }
  return cost;
}

namespace {

void add(
    std::vector<Parameter>& list, std::string name, std::string unit, double prior, double sd) {
  list.push_back({std::move(name), std::move(unit), prior, prior, sd, sd});
}

void add(std::vector<Parameter>& list, const SeldomMeasured& prior) {
  add(list, std::string(prior.name), "", prior.value, prior.log_sd);
}

// What every job on the machine shares; its disk is `known_disk` bytes/s, or where that is 0 no
// slower than `fastest_disk` was seen to be, and as long as `latency_s` until the first byte.
void add_machine(std::vector<Parameter>& list,
                 double known_disk,
                 double fastest_disk,
                 double latency_s) {
  add(list, "fixed_contention", "", 0.3, 1.0);
  add(list, "cpu_contention", "", 0.03, 1.0);
  add(list, contention_beyond_prior);
  add(list, quota_loss_prior);
  add(list, "disk_efficiency", "", 1.0, 0.1);
  add(list, "disk_latency_s", "s", latency_s, 1.0);
  if (known_disk > 0) {
    add(list, "native_disk_bytes_per_s", "B/s", known_disk, 0.3);
  } else {
    add(list, "native_disk_bytes_per_s", "B/s", std::max(2e8, fastest_disk), 0.7);
  }
  add(list, "cache_protection", "", 0.4, 0.7);
  add(list, "pipeline_sharpness", "", 7.0, 0.7);
}

}  // namespace

std::vector<Parameter> Priors::parameters() const {
  std::vector<Parameter> list;
  for (const auto& [key, values] : compute_) {
    const double per_item = *std::min_element(values.begin(), values.end());
    add(list, "compute_s_per_item/" + key, "vCPU s", per_item, 0.7);
    add(list, "compute_fixed_s/" + key, "vCPU s", per_item, 1.5);
  }
  for (const auto& [key, runs] : data_) {
    const auto reading = reading_cost(key, runs);
    std::vector<double> seconds;  // without what reading took
    for (const auto& run : runs) {
      seconds.push_back(std::max(run.cpu_s / 2, run.cpu_s - reading.prior * run.read_bytes));
    }
    add(list, "cpu_s_per_item/" + key, "vCPU s", median_of(seconds), 0.3);
    list.push_back(reading);
  }
  for (const auto& key : data_with_compute_) {
    if (!data_.contains(key)) {
      add(list, "cpu_s_per_item/" + key, "vCPU s", 1e-3, 1.5);
    }
  }
  for (const auto& [key, values] : serial_) {
    add(list, "serial_s_per_item/" + key, "s", median_of(values), 0.3);
  }
  for (const auto& [key, most] : amplification_) {
    // More bytes than were asked for is read-ahead; a little more is the noise of short windows.
    if (most > 1.5) {
      add(list, "read_amplification/" + key, "", most, 0.5);
    }
  }
  add(list, "copy_s_per_item", "s", copy_.empty() ? 5e-5 : median_of(copy_), 0.2);
  // Readers waited for CPUs and for one another too: half of the least wait is taken to be the
  // disk's, as much for the first byte as for the rest.
  const bool waited = least_wait_s_ > 0;
  add_machine(list,
              known_disk_,
              waited ? std::max(fastest_disk_, waited_bytes_ / (least_wait_s_ / 4)) : fastest_disk_,
              waited ? std::min(usual_latency_s, least_wait_s_ / 4) : usual_latency_s);
  return list;
}

}  // namespace rightsize
