// How an Estimator turns a Configuration into laws and a setting: the GPU or CPU that computes, and
// the host that feeds it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/cpu_law.h"
#include "advisor/disk_for_job.h"
#include "advisor/estimator.h"
#include "advisor/host_memory.h"
#include "advisor/job_defaults.h"
#include "advisor/named_disk.h"
#include "kernels/work.h"
#include "models/carry.h"

namespace rightsize {
namespace {

constexpr double gib = 0x1p30;

// Assumptions; each shows in the answer's notes where it counts.
constexpr double unlimited_speed = 1e9;  // a host nobody described does not limit
constexpr double unlimited_bytes_per_s = 1e12;
constexpr int unlimited_threads = 100'000;
constexpr double unstated_cpu_log_sd = 0.25;
constexpr const char* usual_era_host =
    "p3.16xlarge";  // Broadwell, as most GPU hosts of those years
constexpr std::int64_t smallest_data_set_pixels = 64 * 64;  // smaller pictures live in memory

// What is assumed of vCPUs that nobody measured decides what feeds many GPUs: it is said.
void note_extrapolated_cpus(const CpuScalingLaw& law, double cpus, Answer& answer) {
  constexpr double far = 8;
  if (cpus >= far * law.measured_cpus && std::isfinite(cpus)) {
    answer.notes.push_back(fmt::format(
        "vCPUs were measured up to {:g}; {:g} are counted as {:.0f} ({:.1f} % contention, assumed)",
        law.measured_cpus,
        cpus,
        cpu_capacity(law, cpus),
        100 * law.beyond));
  }
}

std::string unit_of(const Network& network, Phase phase) {
  return phase == Phase::decode ? "tokens/s" : network.reads_tokens() ? "sequences/s" : "img/s";
}

bool in_memory(DataFormat data, const Network& network) {
  return data == DataFormat::synthetic || data == DataFormat::mnist || data == DataFormat::cifar ||
         data == DataFormat::tokens || network.reads_tokens() ||
         network.input.positions() < smallest_data_set_pixels;
}

AcceleratorQuery accelerator_query(const Configuration& asked, const GpuRates& rates, int batch) {
  AcceleratorQuery query;
  query.network = asked.network;
  query.phase = asked.phase;
  query.precision = asked.precision;
  query.gpu = asked.machine.gpu;
  query.gpus_per_node = asked.machine.gpus_per_node;
  query.nodes = asked.machine.nodes;
  query.batch = batch;
  query.sequence = asked.sequence;
  query.stack = asked.stack;
  query.framework = asked.of_job ? framework_of_job(rates, query.gpu, asked.stack, asked.framework)
                                 : asked.framework;
  query.interconnect =
      asked.of_job ? network_of_job(asked.machine.interconnect) : asked.machine.interconnect;
  query.exchange = asked.exchange;
  query.parameter_server = asked.parameter_server;
  query.compression = asked.compression;
  return query;
}

void note_accelerator(const Configuration& asked, const AcceleratorRate& rate, Answer& answer) {
  const auto& gpu = asked.machine.gpu;
  answer.notes.push_back(fmt::format("one {}: {}", gpu, rate.provenance));
  if (asked.of_job || !asked.framework.empty()) {
    answer.notes.push_back("GPU speed is " + framework_words(asked.stack, asked.framework));
  } else {
    answer.notes.emplace_back(
        "GPU speed is any framework's, as none is named (--framework): the interval is wider");
  }
  if (rate.precision != asked.precision) {
    answer.notes.push_back(fmt::format("{} has no {} units; {} is used",
                                       gpu,
                                       to_string(asked.precision),
                                       to_string(rate.precision)));
  }
  if (rate.memory_tight) {
    answer.caution = "within 10 % of the GPU's memory: frameworks differ";
    answer.notes.push_back(answer.caution);
  }
  if (!rate.interconnect.empty()) {
    answer.notes.push_back(fmt::format("{} GPUs exchange gradients by {} over {}{}",
                                       asked.machine.gpus(),
                                       to_string(rate.exchange),
                                       rate.interconnect,
                                       rate.interconnect_assumed ? " (assumed)" : ""));
  }
}

}  // namespace

// Where nothing is said: the largest power of two up to 128 that fits the GPU's memory.
std::optional<int> Estimator::batch_that_fits(const Configuration& asked,
                                              const NetworkFacts& facts) const {
  const GpuSpec* gpu = gpu_rates_.find(asked.machine.gpu);
  const int most = asked.machine.gpu.empty() ? 32 : 128;
  for (int batch = most; batch >= 1; batch /= 2) {
    if (gpu == nullptr) {
      return batch;
    }
    const auto precision = available_precision(*gpu, asked.precision);
    if (judge_gpu_memory(facts, asked.phase, precision, batch, *gpu) != MemoryVerdict::too_small) {
      return batch;
    }
  }
  return std::nullopt;
}

// Of those the job may use; the first where none can be used, for its reason.
int Estimator::fastest_batch(const Configuration& asked) {
  auto one = asked;
  int best = asked.batches.front();
  double most = 0;
  for (const int batch : asked.batches.size() > 1 ? asked.batches : std::vector<int>{}) {
    one.batch = batch;
    const auto answer = estimate(one);
    if (answer.verdict == Verdict::ok && answer.throughput.value > most) {
      best = batch;
      most = answer.throughput.value;
    }
  }
  return best;
}

bool Estimator::plan_gpu(const Configuration& asked,
                         const NetworkFacts& facts,
                         Plan& plan,
                         Answer& answer) {
  const auto& gpu = asked.machine.gpu;
  const auto query = accelerator_query(asked, gpu_rates_, answer.batch);
  const auto rate = accelerator_rate(gpu_rates_, facts, query);
  answer.framework = query.framework;
  answer.verdict = rate.verdict;
  if (rate.verdict != Verdict::ok) {
    answer.reason = gpu_rates_.find(gpu) == nullptr
                        ? fmt::format(
                              "no figures for the GPU \"{}\"; rightsize gpus lists those "
                              "there are",
                              gpu)
                        : rate.reason;
    return false;
  }
  answer.precision = rate.precision;
  answer.scaling_efficiency = rate.efficiency;
  plan.source = rate.source;
  plan.sources.accelerator = rate.source;
  const auto& stated = asked.machine.interconnect;
  plan.uncertainty.accelerator = std::hypot(
      rate.log_sd,
      asked.of_job ? assumed_network_log_sd(stated, asked.machine.nodes, asked.phase) : 0);
  plan.setting.workload.engine = EngineKind::replay;
  plan.setting.accelerator_items_per_s = rate.items_per_s / plan.nodes;
  plan.setting.copy_items_per_s = rate.copy_items_per_s / plan.nodes;
  plan.setting.exchange_share = std::clamp(1 - rate.efficiency, 0.0, 1.0);
  plan.setting.launch_share = launch_share(gpu_rates_, query) * (1 - plan.setting.exchange_share);
  if (!rate.interconnect.empty()) {
    plan.source = weaker(plan.source, Source::scaled);
  }
  note_accelerator(asked, rate, answer);
  return true;
}

bool Estimator::plan_cpu(const Configuration& asked,
                         const NetworkFacts& facts,
                         Plan& plan,
                         Answer& answer) {
  if (!asked.machine.vcpus) {
    answer.reason = "neither a GPU nor vCPUs are stated: nothing would compute";
    return false;
  }
  if (asked.machine.nodes > 1) {
    answer.reason = "work on the CPUs of several nodes is not modelled";
    return false;
  }
  answer.verdict = Verdict::ok;
  answer.precision = Precision::fp32;
  Workload& workload = plan.setting.workload;
  workload.engine = EngineKind::cpu;
  workload.precision = Precision::fp32;
  workload.network = asked.network;
  workload.sequence = asked.sequence;
  const bool era = asked.stack == Stack::era;
  if (!era && measured_compute(model_, workload)) {
    plan.source = Source::scaled;
    answer.notes.push_back("the CPU's steps were measured, and are scaled by vCPUs and CPU speed");
    return true;
  }
  complete_cpu_model(asked, facts, plan, answer);
  return true;
}

void Estimator::complete_cpu_model(const Configuration& asked,
                                   const NetworkFacts& facts,
                                   Plan& plan,
                                   Answer& answer) const {
  const bool era = asked.stack == Stack::era;
  const auto cpu = cpu_kind_named(cpu_speeds_, asked.machine.cpu, era);
  plan.model = with_cpu_law(model_,
                            plan.setting.workload,
                            cpu_work(facts.network, asked.phase),
                            cpu,
                            era,
                            *asked.machine.vcpus,
                            plan.setting.cpu_speed);
  plan.uncertainty.cpu_speed = 0;  // the law's own interval has it
  plan.source = cpu.assumed ? Source::assumed : Source::scaled;
  plan.sources.model = plan.source;
  answer.notes.push_back(cpu_law_words(cpu));
}

// vCPUs, their speed, memory and disk of one node.
void Estimator::plan_host(const Configuration& asked, Plan& plan, Answer& answer) {
  Setting& setting = plan.setting;
  const auto& machine = asked.machine;
  const bool of_the_era = machine.cpu.empty() && asked.stack == Stack::era;
  const auto speed =
      cpu_speeds_.of_words(of_the_era ? usual_era_host : machine.cpu, model_.cpu_model);
  setting.cpu_speed = speed.factor;
  plan.sources.cpu_speed = speed.source;
  plan.uncertainty.cpu_speed = std::max(speed.log_sd, of_the_era ? unstated_cpu_log_sd : 0.0);
  setting.cpus = machine.vcpus.value_or(1);
  setting.loader_threads = std::max(1, static_cast<int>(std::ceil(setting.cpus)));
  if (!machine.vcpus) {
    setting.cpu_speed = unlimited_speed;
    setting.loader_threads = unlimited_threads;
    plan.uncertainty.cpu_speed = 0;
  }
  // Memory that is not stated caches nothing, where a disk is.
  setting.memory_bytes = static_cast<std::uint64_t>(machine.memory_gib.value_or(0) * gib);
  setting.disk.bytes_per_s = unlimited_bytes_per_s;
  if (!machine.disk.empty()) {
    const auto disk = disk_named(machine.disk,
                                 catalog_,
                                 asked.bytes,
                                 "disk",
                                 asked.stack == Stack::era ? "era-2017" : "current");
    setting.disk = disk_for_job(disk.speed, asked.shuffle, asked.bytes, asked.items);
    plan.uncertainty.disk = disk.log_sd;
    plan.sources.disk = disk.source;
    answer.notes.push_back(
        fmt::format("disk {}: {:.0f} MB/s{} ({})",
                    disk.label,
                    disk.speed.bytes_per_s / 1e6,
                    disk.speed.iops > 0 ? fmt::format(", {:.0f} IOPS", disk.speed.iops) : "",
                    to_string(disk.source)));
    if (setting.workload.data != DataFormat::synthetic && disk.speed.burst_iops > disk.speed.iops) {
      answer.notes.emplace_back(
          "the disk's saved-up burst is not counted here: this is what it gives for ever; advise "
          "spends the burst over the job's epochs");
    }
  }
}

// The data path, or none.
void Estimator::plan_data(const Configuration& asked, Plan& plan, Answer& answer) {
  Setting& setting = plan.setting;
  const bool host_stated = asked.machine.vcpus || !asked.machine.disk.empty();
  plan.host_matters = setting.workload.data != DataFormat::synthetic && host_stated;
  if (setting.workload.data == DataFormat::synthetic) {
    return;
  }
  if (!host_stated) {
    setting.workload.data = DataFormat::synthetic;
    answer.notes.emplace_back("vCPUs and disk are not stated: the host is taken not to limit");
    return;
  }
  if (!asked.machine.vcpus) {
    answer.notes.emplace_back("vCPUs are not stated: they are taken not to limit");
  }
  const bool decodes = setting.workload.data != DataFormat::lmdb;  // which holds raw pictures
  if (asked.stack && decodes) {
    plan.model = with_loader_of(model_of(plan), setting.workload, *asked.stack);
    plan.sources.model = Source::assumed;
    answer.notes.push_back(
        fmt::format("frameworks' loaders of the {} stack take {:g} times the "
                    "CPU of the one measured (assumed)",
                    to_string(*asked.stack),
                    loader_cost(*asked.stack)));
  }
  Workload nothing;
  nothing.engine = EngineKind::replay;
  note_extrapolated_cpus(laws_of(model_, nothing).scaling, setting.cpus, answer);
  const auto nodes = static_cast<std::uint64_t>(plan.nodes);  // each reads its share
  setting.dataset_items = std::max<std::uint64_t>(1, asked.items / nodes);
  setting.dataset_bytes = asked.bytes / nodes;
  if (!model_note_.empty()) {
    answer.notes.push_back(model_note_);
  }
  plan.source = weaker(plan.source, Source::scaled);
}

bool Estimator::memory_suffices(const Configuration& asked,
                                const NetworkFacts& facts,
                                Plan& plan,
                                Answer& answer) const {
  const bool on_gpu = !asked.machine.gpu.empty();
  const double network_bytes =
      on_gpu ? 0
             : static_cast<double>(
                   device_memory_bytes(facts.network, asked.phase, Precision::fp32, answer.batch));
  const double needed = host_memory_bytes(plan.setting,
                                          answer.batch * facts.input_bytes,
                                          on_gpu ? asked.machine.gpus_per_node : 0,
                                          network_bytes);
  plan.setting.resident_bytes = static_cast<std::uint64_t>(needed);
  if (!asked.machine.memory_gib || needed <= *asked.machine.memory_gib * gib) {
    return true;
  }
  answer.verdict = Verdict::out_of_memory;
  answer.reason = fmt::format("host memory too small: about {:.1f} GiB are needed of {:.4g} GiB",
                              needed / gib,
                              *asked.machine.memory_gib);
  return false;
}

std::optional<Estimator::Plan> Estimator::plan(const Configuration& asked, Answer& answer) {
  answer.precision = asked.precision;  // until the accelerator says what it has
  if (asked.phase == Phase::preprocess) {
    answer.reason = "preprocessing is predicted by rightsize predict --phase preprocess --cpus N";
    return std::nullopt;
  }
  const NetworkFacts* known = facts(asked, answer);
  if (known == nullptr) {
    return std::nullopt;
  }
  if (asked.phase == Phase::decode && !can_generate(known->network)) {
    answer.reason = fmt::format(
        "{} cannot generate token by token: decode needs a language model with causal attention, "
        "such as gpt2; ask for infer",
        asked.network);
    return std::nullopt;
  }
  const auto batch = asked.batch             ? asked.batch
                     : asked.batches.empty() ? batch_that_fits(asked, *known)
                                             : fastest_batch(asked);
  if (!batch) {
    answer.verdict = Verdict::out_of_memory;
    answer.reason = "GPU memory too small for any batch";
    return std::nullopt;
  }
  answer.batch = *batch;
  if (asked.batches.size() > 1 && !asked.batch) {
    answer.notes.push_back(fmt::format(
        "batch {}: the fastest here of the job's {}", *batch, fmt::join(asked.batches, ", ")));
  } else if (!asked.batch && asked.batches.empty()) {
    answer.notes.push_back(fmt::format("batch not stated: {} a GPU is used", *batch));
  }
  Plan plan;
  plan.nodes = asked.machine.nodes;
  plan.unit = unit_of(known->network, asked.phase);
  Workload& workload = plan.setting.workload;
  workload.network = asked.network;
  workload.phase = asked.phase;
  workload.batch = *batch * std::max(1, asked.machine.gpus_per_node);
  workload.data = in_memory(asked.data, known->network) ? DataFormat::synthetic : asked.data;
  workload.shuffle = asked.shuffle;
  plan_host(asked, plan, answer);
  const bool on_gpu = !asked.machine.gpu.empty();
  if (!(on_gpu ? plan_gpu(asked, *known, plan, answer) : plan_cpu(asked, *known, plan, answer))) {
    return std::nullopt;
  }
  plan_data(asked, plan, answer);
  if (!memory_suffices(asked, *known, plan, answer)) {
    return std::nullopt;
  }
  plan.laws = laws_of(model_of(plan), workload);
  return plan;
}

}  // namespace rightsize
