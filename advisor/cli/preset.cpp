#include "advisor/cli/preset.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/calibration.h"
#include "advisor/candidate.h"
#include "advisor/emulate.h"
#include "advisor/query.h"
#include "advisor/report/units.h"
#include "pricing/catalog.h"
#include "profiler/campaign/fields.h"
#include "profiler/machine.h"

namespace rightsize::cli {
namespace {

constexpr double usual_disk_gib = 500;
// "local NVMe SSD" of the founding reports' machines (AlibabaCloudDocs/ecs), as in candidate.cpp.
constexpr VolumePerformance local_nvme{2e9, 240e3, 0};

std::string rate_text(double bytes_per_s) {
  return fmt::format("{:.0f}B/s", bytes_per_s);
}

// "provider/name" or "name"; without the provider's own prefix too: "ssd" is cloud_ssd.
bool is_called(const VolumeClass& volume, const std::string& name) {
  return name == volume.name || name == volume.provider + "/" + volume.name ||
         "cloud_" + name == volume.name;
}

std::string volume_names(const Catalog& catalog) {
  std::set<std::string> names{"nvme"};
  for (const auto& volume : catalog.volumes()) {
    names.insert(volume.provider + "/" + volume.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Preset limits_of(const VolumePerformance& disk, const std::string& label) {
  Preset preset;
  preset.fields.emplace_back("disk_read", rate_text(disk.bytes_per_s));
  preset.fields.emplace_back("disk_write", rate_text(disk.bytes_per_s));
  if (disk.iops > 0) {
    preset.fields.emplace_back("disk_read_iops", fmt::format("{:.0f}", disk.iops));
    preset.fields.emplace_back("disk_write_iops", fmt::format("{:.0f}", disk.iops));
  }
  preset.notes.push_back(fmt::format("--disk {}: {}, {} IOPS [published]",
                                     label,
                                     report::bytes_per_s(disk.bytes_per_s),
                                     disk.iops > 0 ? report::digits(disk.iops) : "any"));
  return preset;
}

// The offer that is meant: "provider/instance" or an instance of one provider only. Any region and
// market does: the shape is the same.
const Offer& offer_named(const Catalog& catalog, const std::string& text) {
  std::set<std::string> names;
  const Offer* found = nullptr;
  for (const auto& offer : catalog.offers()) {
    const auto name = offer.provider + "/" + offer.instance;
    names.insert(name);
    if ((name == text || offer.instance == text) && offer.vcpus && offer.memory_gib) {
      found = found == nullptr || offer.book == "current" ? &offer : found;
    }
  }
  if (found == nullptr) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    const auto near = nearest(text, known);
    throw UsageError(
        fmt::format("--as {}: no such instance in the price tables{}; see rightsize "
                    "prices show --infra 'aws/*'",
                    text,
                    near.empty() ? "" : fmt::format(", did you mean {}?", near)));
  }
  return *found;
}

std::string emulated_machine(const Offer& offer,
                             const Emulation& emulation,
                             const Candidate& made) {
  auto text = fmt::format("--as {}/{}: {:g} vCPUs as {:g} here [{}], {:g} GiB",
                          offer.provider,
                          offer.instance,
                          *offer.vcpus,
                          emulation.limits.cpus,
                          to_string(made.cpu_source),
                          *offer.memory_gib);
  if (!offer.gpu.empty()) {
    text += fmt::format(", {:g} x {} replayed at {} items/s [{}]",
                        offer.gpus,
                        offer.gpu,
                        report::digits(emulation.replay_items_per_s),
                        to_string(made.rate_source));
  }
  return text;
}

}  // namespace

Preset disk_preset(const std::string& text) {
  const auto colon = text.find(':');
  const auto name = text.substr(0, colon);
  double gib = usual_disk_gib;
  if (colon != std::string::npos) {
    gib = static_cast<double>(parse_size(text.substr(colon + 1), "--disk " + text)) / 0x1p30;
  }
  if (name == "nvme") {
    return limits_of(local_nvme, "nvme");
  }
  const auto catalog = shipped_catalog();
  const VolumeClass* found = nullptr;
  for (const auto& volume : catalog.volumes()) {
    if (is_called(volume, name) && (found == nullptr || volume.book == "current")) {
      found = &volume;
    }
  }
  if (found == nullptr) {
    throw UsageError(
        fmt::format("--disk {}: no such class; known: {}", text, volume_names(catalog)));
  }
  if (gib < found->min_gib || gib > found->max_gib) {
    throw UsageError(fmt::format("--disk {}: {} comes in {:g} to {:g} GiB",
                                 text,
                                 found->name,
                                 found->min_gib,
                                 found->max_gib));
  }
  return limits_of(performance(*found, gib),
                   fmt::format("{}/{} of {:g} GiB", found->provider, found->name, gib));
}

Preset instance_preset(const std::string& text, const Workload& work) {
  const auto catalog = shipped_catalog();
  const auto& offer = offer_named(catalog, text);
  const auto here = describe_this_machine();
  Query query;
  query.network = work.network;
  query.phase = work.phase;
  query.precision = work.precision;
  query.format = DataFormat::synthetic;  // the disk is a matter of --disk
  const auto gpu_rates = shipped_gpu_rates();
  const auto cpu_speeds = shipped_cpu_speeds();
  CandidateMaker maker(query, catalog, gpu_rates, cpu_speeds, here.cpu_model);
  std::string reason;
  const auto made = maker.make(offer, maker.disks(offer).front(), work.batch, reason);
  if (!made) {
    throw UsageError(fmt::format("--as {}: cannot be emulated: {}", text, reason));
  }
  const auto emulation = emulate(made->setting, here);
  Preset preset;
  preset.fields.emplace_back("cpus", fmt::format("{:g}", emulation.limits.cpus));
  if (emulation.limits.memory_bytes > 0) {
    preset.fields.emplace_back("memory", fmt::format("{}B", emulation.limits.memory_bytes));
  }
  if (!offer.gpu.empty()) {
    preset.fields.emplace_back("engine", "replay");
    preset.fields.emplace_back("replay_items_per_s",
                               fmt::format("{:.6g}", emulation.replay_items_per_s));
  }
  preset.notes.push_back(emulated_machine(offer, emulation, *made));
  preset.notes.insert(preset.notes.end(), emulation.notes.begin(), emulation.notes.end());
  return preset;
}

}  // namespace rightsize::cli
