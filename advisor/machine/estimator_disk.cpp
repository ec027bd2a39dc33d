// The part of an Estimator's plan that is the disk of one node.
#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "advisor/candidate/disk_for_job.h"
#include "advisor/candidate/preprocessing.h"
#include "advisor/machine/disk_reading.h"
#include "advisor/machine/estimator.h"
#include "advisor/machine/named_disk.h"
#include "advisor/machine/sold_disk.h"
#include "models/predict.h"
#include "pricing/attaches.h"

namespace rightsize {
namespace {

constexpr double unlimited_bytes_per_s = 1e12;  // a disk nobody described does not limit

// A disk that the machine can have, as a user would write it: of its seller's classes the first
// whose least volume reads at random at all; of a machine by its parts anybody's.
std::string usual_disk_of(const MachineSpec& machine, const Catalog& catalog) {
  if (machine.provider.empty()) {
    return "gp3:500GiB";
  }
  constexpr double random_reads = 1000;
  for (const auto& volume : catalog.volumes()) {
    if (volume.provider == machine.provider && volume.book == "current" &&
        is_offered_with(machine.provider, machine.instance, volume.name) &&
        std::max(volume.iops_base, volume.iops_floor) >= random_reads) {
      return volume.name + ":500GiB";
    }
  }
  return "250MB/s";
}

// "250 MB/s, 3000 IOPS (published)".
std::string speed_words(const DiskChoice& disk, const std::string& held) {
  return fmt::format("{:.0f} MB/s{}{} ({})",
                     disk.speed.bytes_per_s / 1e6,
                     disk.speed.iops > 0 ? fmt::format(", {:.0f} IOPS", disk.speed.iops) : "",
                     held,
                     to_string(disk.source));
}

void note_burst(const Configuration& asked, const DiskSpeed& disk, Answer& answer) {
  if (bursts(disk)) {
    answer.notes.push_back(fmt::format(
        "the disk gives {:.0f} IOPS until what it has saved up is spent: {}",
        disk.burst_iops,
        asked.epochs ? "it is taken to be rested when the job begins"
                     : "the rate is what it gives for ever, as no job says how long it reads"));
  }
}

// One for both directions.
Setting with_disk(Setting setting, const DiskSpeed& disk) {
  setting.disk = disk;
  if (setting.workload.phase == Phase::preprocess) {
    setting.disk_write_bytes_per_s = disk.bytes_per_s;
  }
  return setting;
}

}  // namespace

// The disk as this job reads it, with the reason in `answer` where it does not hold the data.
void Estimator::plan_disk(const Configuration& asked, Plan& plan, Answer& answer) const {
  Setting& setting = plan.setting;
  if (asked.machine.disk.empty()) {
    setting.disk.bytes_per_s = unlimited_bytes_per_s;  // until choose_disk()
    return;
  }
  const auto book = book_of(asked.stack);
  // Tokens and small pictures are read into memory; of those a job says how large they are.
  const bool on_disk = setting.workload.data != DataFormat::synthetic ||
                       (asked.of_job && asked.data != DataFormat::synthetic);
  const DiskContents contents{on_disk ? bytes_held(asked) : 0, plan.model_files.bytes()};
  const auto named = disk_named(asked.machine.disk, catalog_, contents, "disk", book);
  answer.reason = too_small(named, contents);
  const auto& instance =
      asked.machine.instance.empty() ? asked.machine.cpu : asked.machine.instance;
  const auto disk = let_through(named, catalog_, instance);
  const bool held = disk.speed.bytes_per_s < named.speed.bytes_per_s;
  setting.disk = disk_for_job(disk.speed, reading_of(asked));
  plan.uncertainty.disk = disk.log_sd;
  plan.sources.disk = disk.source;
  answer.notes.push_back(fmt::format(
      "disk {}: {}",
      disk.label,
      speed_words(disk, held ? fmt::format(", all that {} lets through", instance) : "")));
  if (setting.workload.data != DataFormat::synthetic) {
    note_burst(asked, disk.speed, answer);
  }
}

// Where none is stated and the data or, of a job, the model come from it: of an instance that is
// sold the one with which the job, or an epoch where nobody says how many, costs the least; of
// another one that does not limit.
void Estimator::choose_disk(const Configuration& asked, Plan& plan, Answer& answer) const {
  const auto& machine = asked.machine;
  const bool reads = plan.setting.workload.data != DataFormat::synthetic;
  const bool moves =
      asked.epochs && plan.model_files.bytes() > 0 && !asked.service && !asked.tokens;
  if (!machine.disk.empty() || machine.looked_for || !machine.vcpus || !(reads || moves)) {
    return;
  }
  const auto disks = disks_sold(asked, catalog_, plan.model_files.bytes());
  if (disks.empty() && !reads) {
    return;
  }
  if (disks.empty()) {
    answer.notes.push_back(
        fmt::format("the disk is not stated: it is taken not to limit, where advise picks one "
                    "(disk={})",
                    usual_disk_of(machine, catalog_)));
    return;
  }
  const auto as_read = [&](const DiskChoice& disk) {
    return disk_for_job(disk.speed, reading_of(asked));
  };
  // The first epoch finds nothing in memory, and the model is read before it.
  const auto cost = [&](const SoldDisk& sold) {
    const auto warm = with_disk(plan.setting, as_read(sold.disk));
    auto cold = warm;
    cold.memory_bytes = 0;
    const double share = static_cast<double>(asked.items) / plan.nodes;
    const double later = std::max(0.0, asked.epochs.value_or(1) - 1);
    const double seconds = share / predicted_items_per_s(plan.laws, cold) +
                           later * share / predicted_items_per_s(plan.laws, warm) +
                           plan.model_files.moving_s(sold.disk.speed, plan.nodes);
    return sold.per_hour * seconds;
  };
  std::vector<double> costs;
  std::transform(disks.begin(), disks.end(), std::back_inserter(costs), cost);
  const auto least = std::min_element(costs.begin(), costs.end());
  const auto& disk = disks[static_cast<std::size_t>(least - costs.begin())].disk;
  plan.setting = with_disk(plan.setting, as_read(disk));
  plan.uncertainty.disk = disk.log_sd;
  plan.sources.disk = disk.source;
  answer.notes.push_back(fmt::format(
      "the disk is not stated: {} is taken, with which {} costs the least for this: {} (disk= says "
      "another)",
      disk.label,
      machine.instance,
      speed_words(disk, "")));
  note_burst(asked, disk.speed, answer);
}

}  // namespace rightsize
