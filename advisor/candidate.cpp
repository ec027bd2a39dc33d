#include "advisor/candidate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/data_home.h"
#include "advisor/gpu_preprocessing.h"
#include "advisor/host_memory.h"
#include "advisor/job_defaults.h"
#include "advisor/preprocessing.h"
#include "kernels/work.h"
#include "models/laws/spot.h"

namespace rightsize {
namespace {

constexpr double gib = 0x1p30;

// 1, 2, 4 ... and the largest.
std::vector<int> node_counts(const Query& query) {
  std::vector<int> counts;
  for (int nodes = 1; nodes < query.nodes_max; nodes *= 2) {
    counts.push_back(nodes);
  }
  counts.push_back(query.nodes_max);
  return counts;
}

std::string exchange_text(const AcceleratorRate& rate) {
  return rate.interconnect.empty()
             ? ""
             : fmt::format("{} over {}", to_string(rate.exchange), rate.interconnect);
}

}  // namespace

void Candidate::scale_gpu(double factor) {
  setting.accelerator_items_per_s *= factor;
  for (auto& minibatch : minibatches) {
    minibatch.accelerator_items_per_s *= factor;
  }
  if (tokens) {
    tokens->gpu = slowed(tokens->gpu, 1 / factor);
  }
}

void Candidate::scale_cpu(double factor) {
  setting.cpu_speed *= factor;
  for (auto& minibatch : minibatches) {
    minibatch.cpu_speed *= factor;
  }
}

CandidateMaker::CandidateMaker(const Query& query,
                               const Catalog& catalog,
                               const GpuRates& gpu_rates,
                               const CpuSpeeds& cpu_speeds,
                               const std::string& measured_cpu_model)
    : query_(query),
      gpu_rates_(gpu_rates),
      cpu_speeds_(cpu_speeds),
      measured_cpu_model_(measured_cpu_model),
      facts_(query.network, query.sequence, query.adapters),
      disk_choices_(query, catalog) {
  if (query.phase == Phase::train) {
    checkpoint_bytes_ = checkpoint_bytes(facts_.network);
  }
  if (const auto data = stored_data(query, catalog)) {
    storage_currency_ = data->storage->per_gib_month.currency();
  }
  if (query.tokens) {
    token_servers_.emplace(
        facts_.network, query.precision, *query.tokens, network_of_job(query.network_between));
    return;
  }
  if (query.phase == Phase::preprocess) {
    cpu_ways_.push_back({1, 1, false});
    gpu_ways_ = cpu_ways_;  // which make() refuses, with the reason
    return;
  }
  const bool gpu_can = gpu_preprocesses(query.format);
  for (const int batch : query.batches) {
    cpu_ways_.push_back({batch, 1, false});
    for (const int nodes : query.service ? std::vector<int>{1} : node_counts(query)) {
      if (!gpu_can || query.preprocess_on != PreprocessChoice::gpu) {
        gpu_ways_.push_back({batch, nodes, false});
      }
      if (gpu_can && query.preprocess_on != PreprocessChoice::cpu) {
        gpu_ways_.push_back({batch, nodes, true});
      }
    }
  }
}

Workload CandidateMaker::workload(bool on_gpu, int batch) const {
  Workload workload;
  workload.phase = query_.phase;
  workload.network = query_.network;
  workload.sequence = query_.sequence;
  workload.precision = on_gpu ? query_.precision : Precision::fp32;
  workload.engine = on_gpu ? EngineKind::replay : EngineKind::cpu;
  workload.batch = batch;
  // Ids of tokens lie in memory and cost a GPU's host nothing to speak of, as predict takes it.
  workload.data =
      on_gpu && query_.format == DataFormat::tokens ? DataFormat::synthetic : query_.format;
  workload.shuffle = query_.shuffle;
  workload.output = query_.writes;
  return workload;
}

std::vector<Way> CandidateMaker::ways(const Offer& offer) const {
  if (!token_servers_) {
    return offer.gpu.empty() ? cpu_ways_ : gpu_ways_;
  }
  std::vector<Way> ways;
  for (const int share : token_servers_->shares(static_cast<int>(offer.gpus))) {
    ways.push_back({1, 1, false, share});
  }
  return ways;
}

// Sequences arrive, tokens leave: nothing is loaded, and what the host does is in the law's
// overhead.
bool CandidateMaker::fill_tokens(Candidate& candidate, std::string& reason) {
  const Offer& offer = *candidate.offer;
  const auto* gpu = gpu_rates_.find(offer.gpu);
  if (gpu == nullptr || offer.gpus < 1 || offer.gpus != std::floor(offer.gpus)) {
    reason = gpu == nullptr ? fmt::format("nothing is published about a {}", offer.gpu)
                            : "a fraction of a GPU: not modelled yet";
    return false;
  }
  candidate.tokens = token_servers_->server(
      *gpu,
      offer.gpu_memory_gib ? std::optional(*offer.gpu_memory_gib * gib) : std::nullopt,
      static_cast<int>(offer.gpus),
      candidate.way.gpus_each,
      reason);
  if (!candidate.tokens) {
    return false;
  }
  const auto& server = *candidate.tokens;
  const auto& links = server.gpu.cluster.interconnect;
  candidate.way.batch = sequences_that_fit(
      server.work, server.gpu, server.lengths.prompt_tokens + server.lengths.output_tokens);
  candidate.precision = server.precision;
  candidate.rate_source = Source::scaled;
  candidate.rate_provenance = token_provenance(*query_.tokens);
  candidate.uncertainty.accelerator = server.log_sd;
  candidate.exchange = server.gpus_each() > 1 ? fmt::format("all-reduce over {}", links.text) : "";
  return true;
}

AcceleratorRate CandidateMaker::judge_accelerator(const Offer& offer, int batch, int nodes) {
  if (offer.gpus < 1 || offer.gpus != std::floor(offer.gpus)) {
    AcceleratorRate none;
    none.reason = "a fraction of a GPU: not modelled yet";
    return none;
  }
  AcceleratorQuery asked;
  asked.network = query_.network;
  asked.sequence = query_.sequence;
  asked.phase = query_.phase;
  asked.precision = query_.precision;
  asked.gpu = offer.gpu;
  if (offer.gpu_memory_gib) {
    asked.gpu_memory_bytes = *offer.gpu_memory_gib * gib;
  }
  asked.gpus_per_node = static_cast<int>(offer.gpus);
  asked.nodes = nodes;
  asked.batch = batch;
  asked.stack = query_.stack;
  asked.exchange = query_.exchange;
  asked.recompute = query_.recompute;
  asked.adapters = query_.adapters;
  asked.tensor_parallel = query_.tensor_parallel;
  asked.pipeline_parallel = query_.pipeline_parallel;
  asked.framework = framework_of_job(gpu_rates_, offer.gpu, query_.stack, query_.framework);
  asked.interconnect = network_of_job(query_.network_between);
  const GpuSpec* gpu = gpu_rates_.find(offer.gpu);
  const auto single = [&](const MemoryWay& way) {
    const auto [known, fresh] = single_gpus_.try_emplace({offer.gpu, batch, way});
    if (fresh) {
      known->second = single_gpu_rate(gpu_rates_, asked, way);
    }
    return known->second;
  };
  auto rate = gpu != nullptr ? accelerator_rate(*gpu, single, facts_, asked)
                             : accelerator_rate(gpu_rates_, facts_, asked);  // for the reason
  rate.log_sd =
      std::hypot(rate.log_sd, assumed_network_log_sd(query_.network_between, nodes, query_.phase));
  return rate;
}

const AcceleratorRate& CandidateMaker::accelerator(const Offer& offer, int batch, int nodes) {
  const std::tuple key{offer.gpu, offer.gpus, offer.gpu_memory_gib.value_or(0), batch, nodes};
  const auto found = accelerators_.find(key);
  return found != accelerators_.end()
             ? found->second
             : accelerators_.emplace(key, judge_accelerator(offer, batch, nodes)).first->second;
}

bool CandidateMaker::fill_accelerator(Candidate& candidate, std::string& reason) {
  const Offer& offer = *candidate.offer;
  const AcceleratorRate& rate = accelerator(offer, candidate.way.batch, candidate.way.nodes);
  if (!rate.reason.empty()) {
    reason = rate.reason;
    return false;
  }
  candidate.precision = rate.precision;
  candidate.rate_source = rate.source;
  candidate.rate_provenance = rate.provenance;
  candidate.uncertainty.accelerator = rate.log_sd;
  candidate.scaling_efficiency = rate.efficiency;
  candidate.exchange = exchange_text(rate);
  candidate.memory_way = rate.way;
  candidate.gpu_memory = rate.memory;
  candidate.setting.accelerator_items_per_s = rate.items_per_s / candidate.way.nodes;
  candidate.setting.copy_items_per_s = rate.copy_items_per_s / candidate.way.nodes;
  return true;
}

void CandidateMaker::move_preprocessing(Candidate& candidate) const {
  const Offer& offer = *candidate.offer;
  const double gpu_bytes_per_s = gpu_rates_.find(offer.gpu)->bandwidth_gbs * 1e9 * offer.gpus;
  preprocess_on_gpu(candidate.setting, query_.format, facts_.input_bytes, gpu_bytes_per_s);
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
  if (query_.phase == Phase::preprocess) {
    return host_memory_bytes(setting, batch_bytes, 0, 0);
  }
  auto& network_bytes = cpu_memory_seen_[batch];
  if (network_bytes == 0) {
    network_bytes = static_cast<double>(
        device_memory_bytes(facts_.network, query_.phase, Precision::fp32, batch));
  }
  return host_memory_bytes(setting, batch_bytes, 0, network_bytes);
}

void CandidateMaker::fill_minibatches(Candidate& candidate) {
  const Offer& offer = *candidate.offer;
  const bool on_gpu = !offer.gpu.empty();
  for (const int size : MinibatchTime::sizes(candidate.way.batch)) {
    Setting setting = candidate.setting;
    const bool fits =
        (!on_gpu || accelerator(offer, size, 1).reason.empty()) &&
        host_memory(offer, setting, size) <= static_cast<double>(setting.memory_bytes);
    if (!fits || size == candidate.way.batch) {
      continue;
    }
    setting.workload = workload(on_gpu, size);
    if (on_gpu) {
      setting.accelerator_items_per_s = accelerator(offer, size, 1).items_per_s;
    }
    candidate.minibatches.push_back(std::move(setting));
  }
}

CandidateMaker::All CandidateMaker::all(const Offer& offer, std::string& reason) {
  All all;
  if (query_.tokens && offer.gpu.empty()) {
    reason = "no GPU: writing tokens is modelled on GPUs";
    all.tried = 1;
    return all;
  }
  if (query_.tokens && offer.gpus < 1) {
    reason = "a fraction of a GPU: not modelled yet";
    all.tried = 1;
    return all;
  }
  for (const auto& disk : disks(offer)) {
    for (const auto& way : ways(offer)) {
      ++all.tried;
      if (auto candidate = make(offer, disk, way, reason)) {
        all.made.push_back(*std::move(candidate));
      }
    }
  }
  return all;
}

std::optional<Candidate> CandidateMaker::make(const Offer& offer,
                                              const DiskChoice& disk,
                                              const Way& way,
                                              std::string& reason) {
  if (offer.vcpus.value_or(1) <= 0 || offer.memory_gib.value_or(1) <= 0) {
    reason = "vCPUs or memory not above 0 in the price table";
    return std::nullopt;
  }
  if (!offer.vcpus || !offer.memory_gib) {
    reason = "vCPUs or memory not published";
    return std::nullopt;
  }
  const bool on_gpu = !offer.gpu.empty();
  if (on_gpu && query_.phase == Phase::preprocess) {
    reason = no_gpu_preprocesses;
    return std::nullopt;
  }
  // Images and the data path were measured on another; nothing of a CPU's enters tokens written.
  if (offer.arch == "arm64" && !query_.tokens) {
    reason = "another CPU architecture (arm64) than was measured";
    return std::nullopt;
  }
  if (query_.adapters.any() && !on_gpu) {
    reason = cpu_trains_no_adapters;
    return std::nullopt;
  }
  if (query_.tensor_parallel * query_.pipeline_parallel > 1 && !on_gpu) {
    reason = "no GPUs to share the layers";
    return std::nullopt;
  }
  if (!storage_currency_.empty() && storage_currency_ != offer.price_per_hour.currency()) {
    reason = "priced in another currency than the storage its data come from";
    return std::nullopt;
  }
  Candidate candidate;
  candidate.offer = &offer;
  candidate.way = way;
  candidate.checkpoint_bytes = checkpoint_bytes_;
  candidate.disk = disk;
  candidate.rate_source = Source::scaled;
  candidate.rate_provenance = "measured on this machine's CPU, scaled by vCPUs and CPU speed";
  Setting& setting = candidate.setting;
  setting.workload = workload(on_gpu, way.batch);
  setting.cpus = *offer.vcpus;
  setting.loader_threads = std::max(1, static_cast<int>(*offer.vcpus));
  setting.memory_bytes = static_cast<std::uint64_t>(*offer.memory_gib * gib);
  setting.disk = disk.speed;
  setting.disk_write_bytes_per_s = disk.speed.bytes_per_s;   // one for both directions
  const auto nodes = static_cast<std::uint64_t>(way.nodes);  // each reads its share
  setting.dataset_items = std::max<std::uint64_t>(1, query_.items / nodes);
  setting.dataset_bytes = query_.dataset_bytes / nodes;
  if (query_.tokens) {
    return fill_tokens(candidate, reason) ? std::optional(std::move(candidate)) : std::nullopt;
  }
  if (on_gpu && !fill_accelerator(candidate, reason)) {
    return std::nullopt;
  }
  setting.resident_bytes = static_cast<std::uint64_t>(host_memory(offer, setting, way.batch));
  if (setting.resident_bytes > setting.memory_bytes) {
    reason = "host memory too small";
    return std::nullopt;
  }
  const CpuSpeed& cpu = cpu_speed(offer);
  setting.cpu_speed = cpu.factor;
  if (way.preprocess_on_gpu) {
    move_preprocessing(candidate);
  }
  if (query_.service) {
    fill_minibatches(candidate);
  }
  candidate.cpu_provenance = cpu.provenance;
  candidate.cpu_source = cpu.source;
  candidate.uncertainty.cpu_speed = cpu.log_sd;
  candidate.uncertainty.disk = disk.log_sd;
  return candidate;
}

}  // namespace rightsize
