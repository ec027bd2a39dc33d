#include "advisor/cli/preset.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/candidate/candidate.h"
#include "advisor/candidate/disk_for_job.h"
#include "advisor/cli/machine_option.h"
#include "advisor/machine/emulate.h"
#include "advisor/machine/named_disk.h"
#include "advisor/query/query.h"
#include "advisor/report/units.h"
#include "pricing/catalog.h"
#include "profiler/campaign/fields.h"
#include "profiler/campaign/nearest.h"
#include "profiler/machine.h"
#include "profiler/measure/core_speed.h"

namespace rightsize::cli {
namespace {

constexpr std::uint64_t usual_disk_bytes = 500ULL << 30;

std::string rate_text(double bytes_per_s) {
  return fmt::format("{:.0f}B/s", bytes_per_s);
}

std::string emulated_machine(const Offer& offer,
                             const Emulation& emulation,
                             const Candidate& made) {
  auto text = fmt::format("--as {}/{}: {:g} vCPU{} as {:g} here [{}], {:g} GiB",
                          offer.provider,
                          offer.instance,
                          *offer.vcpus,
                          *offer.vcpus == 1 ? "" : "s",
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

Preset disk_preset(const std::string& text,
                   double scale,
                   const std::string& provider,
                   const std::string& instance) {
  const auto catalog = shipped_catalog();
  const auto named = disk_named(text, catalog, {usual_disk_bytes}, "--disk");
  auto disk = let_through(named, catalog, instance);
  const bool held = !(disk.speed == named.speed);
  if (const auto why = provider.empty() ? "" : sold_elsewhere(text, catalog, provider);
      !why.empty()) {
    throw UsageError(fmt::format("--disk {}: {}", text, why));
  }
  Preset preset;
  // Control groups count requests as the kernel makes them, smaller than this class does.
  if (const double request = disk.speed.max_request_bytes; request > 0) {
    preset.notes.push_back(fmt::format(
        "--disk {}: without its burst, {} requests/s of {}; they are imposed as bytes, so that "
        "small reads apart from each other, which count whole there, are faster here",
        text,
        report::digits(disk.speed.iops),
        report::bytes(request)));
    disk.speed.bytes_per_s = std::min(disk.speed.bytes_per_s, disk.speed.iops * request);
    disk.speed.iops = 0;
  }
  if (disk.speed.bytes_per_s > 0) {
    preset.fields.emplace_back("disk_read", rate_text(disk.speed.bytes_per_s * scale));
    preset.fields.emplace_back("disk_write", rate_text(disk.speed.bytes_per_s * scale));
  }
  if (disk.speed.iops > 0) {
    preset.fields.emplace_back("disk_read_iops", fmt::format("{:.0f}", disk.speed.iops * scale));
    preset.fields.emplace_back("disk_write_iops", fmt::format("{:.0f}", disk.speed.iops * scale));
  }
  preset.notes.push_back(
      fmt::format("--disk {}: {}, {}, {} IOPS{} [{}]",
                  text,
                  disk.label,
                  report::bytes_per_s(disk.speed.bytes_per_s),
                  disk.speed.iops > 0 ? report::digits(disk.speed.iops) : "any number of",
                  held ? fmt::format(", all that {} lets through", instance) : "",
                  to_string(disk.source)));
  return preset;
}

Preset instance_preset(const std::string& text, const Workload& work) {
  const auto catalog = shipped_catalog();
  const auto& offer = offer_named(catalog, text, "--as");
  const auto here = describe_this_machine();
  Query query;
  query.network = work.network;
  query.sequence = work.sequence;
  query.phase = work.phase;
  query.precision = work.precision;
  query.format = DataFormat::synthetic;  // the disk is a matter of --disk
  const auto gpu_rates = shipped_gpu_rates();
  const auto cpu_speeds = shipped_cpu_speeds();
  CandidateMaker maker(query, catalog, gpu_rates, cpu_speeds, {here.cpu_model, probe_core_speed()});
  Refusal refusal;
  const auto made = maker.make(offer, maker.disks(offer).front(), {work.batch}, refusal);
  if (!made) {
    throw UsageError(fmt::format("--as {}: cannot be emulated: {}", text, refusal.reason));
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
  preset.scale = emulation.scale;
  preset.provider = offer.provider;
  preset.instance = offer.instance;
  return preset;
}

}  // namespace rightsize::cli
