#include "advisor/candidate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/host_memory.h"
#include "kernels/work.h"
#include "models/laws/spot.h"

namespace rightsize {
namespace {

constexpr double gib = 0x1p30;

// Assumptions, none of them measured here. Those that move the answer are named next to it
// (premises.cpp); the standard deviations only widen it.
constexpr double unstated_disk_bytes_per_s = 500e6;
constexpr const char* unstated_disk_price = "0.10";  // USD per GiB and month: gp2, pd-balanced
constexpr double unstated_disk_log_sd = 0.5;
constexpr double volume_log_sd = 0.05;
constexpr double system_disk_gib = 20;

}  // namespace

void Candidate::scale_gpu(double factor) {
  setting.accelerator_items_per_s *= factor;
  if (alone) {
    alone->accelerator_items_per_s *= factor;
  }
}

void Candidate::scale_cpu(double factor) {
  setting.cpu_speed *= factor;
  if (alone) {
    alone->cpu_speed *= factor;
  }
}

CandidateMaker::CandidateMaker(const Query& query,
                               const Catalog& catalog,
                               const GpuRates& gpu_rates,
                               const CpuSpeeds& cpu_speeds,
                               const std::string& measured_cpu_model)
    : query_(query),
      catalog_(catalog),
      gpu_rates_(gpu_rates),
      cpu_speeds_(cpu_speeds),
      measured_cpu_model_(measured_cpu_model),
      facts_(query.network) {
  if (query.phase == Phase::train) {
    checkpoint_bytes_ = checkpoint_bytes(facts_.network);
  }
  unlisted_volume_.name = "unlisted (price assumed)";
  unlisted_volume_.price_per_gib_month = Money::parse(unstated_disk_price, "USD");
  unlisted_volume_.source = "assumed";
}

// What the volume delivers to this machine, which may let less through.
DiskChoice CandidateMaker::volume_choice(const Offer& offer,
                                         const VolumeClass& volume,
                                         std::int64_t gib) const {
  const auto* cap = catalog_.disk_cap(offer.provider, offer.instance, volume.name);
  const double wanted =
      cap != nullptr && cap->mbps ? std::min(*cap->mbps, volume.mbps_max) : volume.mbps_max;
  const auto iops = iops_to_buy(volume, wanted * 1e6);
  auto delivered = performance(volume, static_cast<double>(gib), static_cast<double>(iops));
  if (cap != nullptr) {
    delivered = capped(delivered, *cap);
  }
  return {&volume,
          gib,
          {delivered.bytes_per_s, delivered.iops, delivered.latency_s},
          volume_log_sd,
          iops > 0 ? fmt::format("{} {} GiB {} IOPS", volume.name, gib, iops)
                   : fmt::format("{} {} GiB", volume.name, gib),
          Source::published,
          iops};
}

std::vector<DiskChoice> CandidateMaker::disks(const Offer& offer) const {
  if (query_.format == DataFormat::synthetic) {
    return {{nullptr, 0, {}, 0, "none (synthetic data)"}};
  }
  const double bytes = static_cast<double>(query_.dataset_bytes);
  const double wanted = bytes + system_disk_gib * gib;
  bool listed = false;
  const auto book = catalog_.rules_book(offer.book);
  std::vector<DiskChoice> choices;
  if (offer.local_disk_gib && *offer.local_disk_gib * gib >= bytes) {
    // "local NVMe SSD" of the founding reports' machines: read to 2 GB/s (AlibabaCloudDocs/ecs).
    // Other providers' are assumed to do as well.
    choices.push_back({nullptr,
                       0,
                       {2e9, 240e3, 0},
                       0.2,
                       "local NVMe",
                       offer.provider == "alibaba" ? Source::published : Source::assumed});
  }
  for (const auto& volume : catalog_.volumes()) {
    if (volume.provider != offer.provider || volume.book != book || !volume.price_per_gib_month) {
      continue;
    }
    listed = true;
    // Speed is bought without a limit here: not where we do not know what the machine lets through.
    if (volume.mbps_per_iops > 0 &&
        catalog_.disk_cap(offer.provider, offer.instance, volume.name) == nullptr) {
      continue;
    }
    std::int64_t smallest = -1;
    // As large as the data asks, and as large as makes the class as fast as it gets.
    for (const double speed : {0.0, volume.mbps_max * 1e6}) {
      const auto size = smallest_size_gib(volume, wanted, speed);
      if (!size || static_cast<std::int64_t>(*size) == smallest) {
        continue;
      }
      smallest = static_cast<std::int64_t>(*size);
      choices.push_back(volume_choice(offer, volume, smallest));
    }
  }
  const bool in_dollars = offer.price_per_hour.currency() == "USD";
  if (choices.empty() && !listed) {
    const auto size = static_cast<std::int64_t>(std::ceil(wanted / gib));
    choices.push_back({in_dollars ? &unlisted_volume_ : nullptr,
                       in_dollars ? size : 0,
                       {unstated_disk_bytes_per_s, 0, 0},
                       unstated_disk_log_sd,
                       in_dollars ? fmt::format("unlisted {} GiB (price assumed)", size)
                                  : "unlisted (not billed, assumed)",
                       Source::assumed});
  }
  return choices;
}

Workload CandidateMaker::workload(bool on_gpu, int batch) const {
  Workload workload;
  workload.phase = query_.phase;
  workload.network = query_.network;
  workload.precision = on_gpu ? query_.precision : Precision::fp32;
  workload.engine = on_gpu ? EngineKind::replay : EngineKind::cpu;
  workload.batch = batch;
  workload.data = query_.format;
  workload.shuffle = query_.shuffle;
  return workload;
}

AcceleratorRate CandidateMaker::judge_accelerator(const Offer& offer, int batch) const {
  if (offer.gpus < 1 || offer.gpus != std::floor(offer.gpus)) {
    AcceleratorRate none;
    none.reason = "a fraction of a GPU: not modelled yet";
    return none;
  }
  AcceleratorQuery asked;
  asked.network = query_.network;
  asked.phase = query_.phase;
  asked.precision = query_.precision;
  asked.gpu = offer.gpu;
  if (offer.gpu_memory_gib) {
    asked.gpu_memory_bytes = *offer.gpu_memory_gib * gib;
  }
  asked.gpus_per_node = static_cast<int>(offer.gpus);
  asked.batch = batch;
  return accelerator_rate(gpu_rates_, facts_, asked);
}

const AcceleratorRate& CandidateMaker::accelerator(const Offer& offer, int batch) {
  const std::tuple key{offer.gpu, offer.gpus, offer.gpu_memory_gib.value_or(0), batch};
  const auto found = accelerators_.find(key);
  return found != accelerators_.end()
             ? found->second
             : accelerators_.emplace(key, judge_accelerator(offer, batch)).first->second;
}

const CpuSpeed& CandidateMaker::cpu_speed(const Offer& offer) {
  std::pair key{offer.provider, offer.instance};
  const auto found = cpu_speeds_seen_.find(key);
  return found != cpu_speeds_seen_.end()
             ? found->second
             : cpu_speeds_seen_
                   .emplace(
                       key,
                       cpu_speeds_.relative(offer.provider, offer.instance, measured_cpu_model_))
                   .first->second;
}

double CandidateMaker::host_memory(const Offer& offer, const Setting& setting, int batch) {
  const double batch_bytes = batch * facts_.input_bytes;
  if (!offer.gpu.empty()) {
    return host_memory_bytes(setting, batch_bytes, offer.gpus, 0);
  }
  auto& network_bytes = cpu_memory_seen_[batch];
  if (network_bytes == 0) {
    network_bytes = static_cast<double>(
        device_memory_bytes(facts_.network, query_.phase, Precision::fp32, batch));
  }
  return host_memory_bytes(setting, batch_bytes, 0, network_bytes);
}

std::optional<Candidate> CandidateMaker::make(const Offer& offer,
                                              const DiskChoice& disk,
                                              int batch,
                                              std::string& reason) {
  if (!offer.vcpus || !offer.memory_gib) {
    reason = "vCPUs or memory not published";
    return std::nullopt;
  }
  const bool on_gpu = !offer.gpu.empty();
  if (offer.arch == "arm64") {  // images and the data path were made for another
    reason = "another CPU architecture (arm64) than was measured";
    return std::nullopt;
  }
  Candidate candidate;
  candidate.offer = &offer;
  candidate.batch = batch;
  candidate.checkpoint_bytes = checkpoint_bytes_;
  candidate.disk = disk;
  candidate.rate_source = Source::scaled;
  candidate.rate_provenance = "measured on this machine's CPU, scaled by vCPUs and CPU speed";
  Setting& setting = candidate.setting;
  setting.workload = workload(on_gpu, batch);
  setting.cpus = *offer.vcpus;
  setting.loader_threads = std::max(1, static_cast<int>(*offer.vcpus));
  setting.memory_bytes = static_cast<std::uint64_t>(*offer.memory_gib * gib);
  setting.disk = disk.speed;
  setting.dataset_items = query_.items;
  setting.dataset_bytes = query_.dataset_bytes;
  if (on_gpu) {
    const AcceleratorRate& gpu = accelerator(offer, batch);
    if (!gpu.reason.empty()) {
      reason = gpu.reason;
      return std::nullopt;
    }
    candidate.precision = gpu.precision;
    candidate.rate_source = gpu.source;
    candidate.rate_provenance = gpu.provenance;
    candidate.uncertainty.accelerator = gpu.log_sd;
    setting.accelerator_items_per_s = gpu.items_per_s;
    setting.copy_items_per_s = gpu.copy_items_per_s;
  }
  setting.resident_bytes = static_cast<std::uint64_t>(host_memory(offer, setting, batch));
  if (setting.resident_bytes > setting.memory_bytes) {
    reason = "host memory too small";
    return std::nullopt;
  }
  const CpuSpeed& cpu = cpu_speed(offer);
  setting.cpu_speed = cpu.factor;
  if (query_.service) {
    candidate.alone = setting;
    candidate.alone->workload = workload(on_gpu, 1);
    if (on_gpu) {
      candidate.alone->accelerator_items_per_s = accelerator(offer, 1).items_per_s;
    }
  }
  candidate.cpu_provenance = cpu.provenance;
  candidate.cpu_source = cpu.source;
  candidate.uncertainty.cpu_speed = cpu.log_sd;
  candidate.uncertainty.disk = disk.log_sd;
  return candidate;
}

}  // namespace rightsize
