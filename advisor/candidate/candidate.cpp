#include "advisor/candidate/candidate.h"

#include <algorithm>

#include "advisor/candidate/cpu_law.h"
#include "advisor/candidate/data_home.h"
#include "advisor/candidate/gpu_ways.h"
#include "advisor/candidate/host_memory.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/candidate/own_stock.h"
#include "advisor/machine/loader_threads.h"
#include "advisor/query/job_defaults.h"
#include "kernels/gibibyte.h"
#include "kernels/networks/program.h"
#include "kernels/work.h"
#include "models/laws/spot.h"

namespace rightsize {

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
  cpu_supposed *= factor;
  setting.cpu_speed *= factor;
  for (auto& minibatch : minibatches) {
    minibatch.cpu_speed *= factor;
  }
}

CandidateMaker::CandidateMaker(const Query& query,
                               const Catalog& catalog,
                               const GpuRates& gpu_rates,
                               const CpuSpeeds& cpu_speeds,
                               const MeasuredCpu& measured_cpu)
    : query_(query),
      gpu_rates_(gpu_rates),
      cpu_speeds_(cpu_speeds),
      measured_cpu_(measured_cpu),
      facts_(query.network, query.sequence, query.tuning, query.phase),
      memory_law_(facts_.network, query.phase, query.precision),
      model_files_(model_files(facts_, query)),
      disk_choices_(query, catalog, model_files_.bytes()),
      stored_data_(query, catalog) {
  if (query.phase == Phase::train) {
    checkpoint_bytes_ = checkpoint_bytes(facts_.network);
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
  for (const int batch : query.batches.empty() ? std::vector{chosen_anew} : query.batches) {
    cpu_ways_.push_back({batch, 1, false});
  }
  gpu_ways_ = ways_on_gpus(query, query.nodes_max);
}

Workload CandidateMaker::workload(const Offer& offer, int batch) {
  const bool on_gpu = !offer.gpu.empty();
  Workload workload;
  workload.phase = query_.phase;
  workload.network = query_.network;
  workload.sequence = query_.sequence;
  workload.precision = on_gpu ? query_.precision : host(offer).precision;
  workload.engine = on_gpu ? EngineKind::replay : EngineKind::cpu;
  workload.batch = batch;
  const bool sent = query_.serves() && query_.format == DataFormat::tokens;  // with its request
  workload.data = sent ? DataFormat::synthetic : query_.format;
  workload.shuffle = query_.shuffle;
  workload.output = query_.writes;
  if (query_.program) {  // as its runs are filed
    workload.network = bare_program(query_.network);
    workload.phase = query_.program->phase;
    workload.precision = query_.program->precision;
  }
  return workload;
}

std::vector<Way> CandidateMaker::ways(const Offer& offer) {
  if (!token_servers_) {
    const int most = most_together(query_, offer);
    const bool preprocesses = query_.phase == Phase::preprocess;  // refused on GPUs, in one way
    auto ways = offer.gpu.empty()                          ? cpu_ways_
                : most == query_.nodes_max || preprocesses ? gpu_ways_
                                                           : ways_on_gpus(query_, most);
    for (auto& way : ways) {
      way.batch = way.batch == chosen_anew ? batches(offer, way.nodes).front() : way.batch;
    }
    return ways;
  }
  std::vector<Way> ways;
  for (const auto& shape : token_servers_->shapes(static_cast<int>(offer.gpus))) {
    ways.push_back({1, 1, false, shape.gpus, shape.attention});
  }
  return ways;
}

const CandidateMaker::Host& CandidateMaker::host(const Offer& offer) {
  const auto key = std::tie(offer.instance, offer.provider, offer.cpu);
  if (last_host_ != nullptr && last_host_->first == key) {
    return last_host_->second;
  }
  if (const auto found = hosts_seen_.find(key); found != hosts_seen_.end()) {
    last_host_ = &*found;
    return found->second;
  }
  const auto stack = query_.stack.value_or(Stack::current);
  const auto kind = cpu_kind_named(cpu_speeds_, cpu_words(cpu_speeds_, offer), stack);
  last_host_ = &*hosts_seen_
                     .emplace(key,
                              Host{cpu_speed_of(cpu_speeds_, offer, measured_cpu_),
                                   cpu_precision(kind, query_.precision, stack)})
                     .first;
  return last_host_->second;
}

double CandidateMaker::host_memory(const Offer& offer, const Setting& setting, int batch) {
  if (query_.program) {
    return query_.program->cpus.resident_bytes;
  }
  const double batch_bytes = batch * facts_.input_bytes;
  if (!offer.gpu.empty()) {
    return host_memory_bytes(setting, batch_bytes, offer.gpus, 0);
  }
  if (query_.phase == Phase::preprocess) {
    return host_memory_bytes(setting, batch_bytes, 0, 0);
  }
  const auto precision = setting.workload.precision;
  auto& network_bytes = cpu_memory_seen_[{batch, precision}];
  if (network_bytes == 0) {
    network_bytes =
        static_cast<double>(device_memory_bytes(facts_.network, query_.phase, precision, batch));
  }
  return host_memory_bytes(setting, batch_bytes, 0, network_bytes);
}

CandidateMaker::All CandidateMaker::all(const Offer& offer, Refusal& refusal) {
  if (query_.tokens && offer.gpu.empty()) {
    refusal = {"no GPU: writing tokens is modelled on GPUs", Lacking::evidence};
    return {{}, 1};
  }
  if (query_.tokens && offer.gpus < 1) {
    refusal = {"a fraction of a GPU: not modelled yet", Lacking::evidence};
    return {{}, 1};
  }
  All all;
  const auto its_ways = ways(offer);
  const auto its_disks = disks(offer);
  all.made.reserve(its_ways.size() * its_disks.size());
  for (const auto& disk : its_disks) {
    for (const auto& way : its_ways) {
      ++all.tried;
      if (auto candidate = make(offer, disk, way, refusal)) {
        all.made.push_back(*std::move(candidate));
      }
    }
  }
  return all;
}

// What the offer, the disk and the way say by themselves; nothing of the models yet.
Candidate CandidateMaker::outline(const Offer& offer, const DiskChoice& disk, const Way& way) {
  Candidate candidate;
  candidate.offer = &offer;
  candidate.way = way;
  candidate.checkpoint_bytes = checkpoint_bytes_;
  candidate.model_files = model_files_;
  candidate.disk = disk;
  candidate.rate_source = Source::scaled;
  candidate.rate_provenance = "measured on this machine's CPU, scaled by vCPUs and CPU speed";
  Setting& setting = candidate.setting;
  setting.workload = workload(offer, way.batch);
  candidate.precision = setting.workload.precision;  // a GPU's is its own
  setting.cpus = *offer.vcpus;
  setting.loader_threads = program_reads(query_, query_.loader)
                               ? threads_of_program
                               : usual_loader_threads(*offer.vcpus);
  setting.memory_bytes = static_cast<std::uint64_t>(*offer.memory_gib * bytes_per_gib);
  setting.disk = disk.speed;
  setting.disk_write_bytes_per_s = disk.speed.bytes_per_s;   // one for both directions
  const auto nodes = static_cast<std::uint64_t>(way.nodes);  // each reads its share
  setting.dataset_items = std::max<std::uint64_t>(1, query_.items / nodes);
  setting.dataset_bytes = query_.dataset_bytes / nodes;
  return candidate;
}

std::optional<Candidate> CandidateMaker::make(const Offer& offer,
                                              const DiskChoice& disk,
                                              const Way& way,
                                              Refusal& refusal) {
  if (auto why = unfit(offer); !why.reason.empty()) {
    refusal = std::move(why);
    return std::nullopt;
  }
  Candidate candidate = outline(offer, disk, way);
  Setting& setting = candidate.setting;
  const bool filled = query_.tokens ? fill_tokens(candidate, refusal)
                                    : offer.gpu.empty() || fill_accelerator(candidate, refusal);
  if (!filled) {
    return std::nullopt;
  }
  setting.resident_bytes = static_cast<std::uint64_t>(host_memory(offer, setting, way.batch));
  const double passing = offer.gpu.empty() ? 0 : weights_on_their_way(model_files_.weights_bytes);
  if (static_cast<double>(setting.resident_bytes) + passing >
      static_cast<double>(setting.memory_bytes)) {
    refusal = {std::string(host_memory_too_small), Lacking::host_memory};
    return std::nullopt;
  }
  if (query_.tokens) {  // sequences arrive, and nothing is loaded
    return candidate;
  }
  const CpuSpeed& cpu = host(offer).speed;
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
