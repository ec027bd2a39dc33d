// The part of an Estimator's plan that GPUs decide: their rate, the batch that fits them, and what
// is said of both.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "advisor/candidate/batch_choice.h"
#include "advisor/candidate/experts_hint.h"
#include "advisor/candidate/training_way.h"
#include "advisor/candidate/update_share.h"
#include "advisor/machine/accelerator_note.h"
#include "advisor/machine/estimator.h"
#include "advisor/machine/flops_words.h"
#include "advisor/query/job_defaults.h"
#include "advisor/way_out/way_out.h"
#include "kernels/gibibyte.h"

namespace rightsize {
namespace {

AcceleratorQuery accelerator_query(const Configuration& asked, const GpuRates& rates, int batch) {
  AcceleratorQuery query;
  static_cast<NetworkStep&>(query) = asked;
  query.gpu = asked.machine.gpu;
  if (asked.machine.gpu_memory_gib) {
    query.gpu_memory_bytes = *asked.machine.gpu_memory_gib * bytes_per_gib;
  }
  query.gpus_per_node = asked.machine.gpus_per_node;
  query.nodes = asked.machine.nodes;
  query.batch = batch;
  query.items = asked.epochs ? static_cast<double>(asked.items) * *asked.epochs : 0;
  if (asked.of_job) {
    query.framework = framework_of_job(rates, query.gpu, asked.stack, asked.framework);
  }
  query.interconnect =
      asked.of_job ? network_of_job(asked.machine.interconnect) : asked.machine.interconnect;
  query.parameter_server = asked.parameter_server;
  query.compression = asked.compression;
  share_update(query);
  return query;
}

// ": 98.2 GiB at the least, where an H100 has 79.2".
std::string memory_words(const AcceleratorRate& rate, const GpuSpec& sold) {
  constexpr double tenth = bytes_per_gib / 10;  // GiB; what is short by less is short all the same
  return rate.verdict == Verdict::out_of_memory && rate.memory.total() > 0
             ? fmt::format(": {:.1f} GiB at the least, of the {:.1f} that a program has of the {}",
                           std::ceil(rate.memory.total() / tenth) / 10,
                           std::floor(usable_memory_bytes(sold) / tenth) / 10,
                           sold.name)
             : "";
}

std::string why_no_rate(const GpuRates& rates,
                        const std::string& gpu,
                        const AcceleratorRate& rate,
                        const GpuSpec& sold) {
  return rates.find(gpu) != nullptr
             ? rate.reason + memory_words(rate, sold)
             : fmt::format("no figures for the GPU \"{}\"; rightsize gpus lists those there are",
                           gpu);
}

}  // namespace

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

// Where nothing is said.
std::optional<int> Estimator::batch_that_fits(const Configuration& asked,
                                              const NetworkFacts& facts) const {
  if (asked.machine.gpu.empty() && facts.looks_up) {
    return usual_batch(facts, asked.phase);
  }
  if (asked.machine.gpu.empty()) {
    return asked.service ? usual_limit_of_cpus : usual_batch_of_cpus;
  }
  const auto* gpu = gpu_rates_.find(asked.machine.gpu);
  if (gpu == nullptr) {
    return usual_batch_of_gpu;
  }
  const auto with_batch = [&](int batch) { return accelerator_query(asked, gpu_rates_, batch); };
  const auto one = with_batch(1);
  return rightsize::batch_that_fits(*gpu, facts, one, memory_law(facts, one), [&](int batch) {
    return accelerator_rate(gpu_rates_, facts, with_batch(batch));
  });
}

std::vector<std::string> Estimator::ways_to_fit(const Configuration& asked, int batch) const {
  const bool together = !asked.service;  // whose GPUs answer each on its own
  std::set<std::string> sold;            // in any book
  for (const auto& offer : catalog_.offers()) {
    sold.insert(offer.gpu);
  }
  return ways_out_of_memory(
      gpu_rates_, accelerator_query(asked, gpu_rates_, batch), together, sold);
}

namespace {

// What are in flight where texts are written: no more than the caches have room for.
void take_in_flight(const Configuration& asked,
                    int in_flight,
                    Estimator::Plan& plan,
                    Answer& answer) {
  if (in_flight <= 0 || in_flight >= answer.batch) {
    return;
  }
  answer.notes.push_back(fmt::format(
      "batch {}: {} of a copy are in flight, no more fit or are there", answer.batch, in_flight));
  answer.batch = in_flight;
  plan.setting.workload.batch = in_flight * asked.machine.gpus_per_node;
}

void take_rate(const AcceleratorRate& rate, Estimator::Plan& plan, Answer& answer) {
  answer.precision = rate.precision;
  answer.scaling_efficiency = rate.efficiency;
  answer.memory_way = rate.way;
  answer.gpu_memory = rate.memory;
  plan.source = rate.interconnect.empty() ? rate.source : weaker(rate.source, Source::scaled);
  plan.sources.accelerator = rate.source;
  plan.setting.workload.engine = EngineKind::replay;
  plan.setting.accelerator_items_per_s = rate.items_per_s / plan.nodes;
  plan.setting.copy_items_per_s = rate.copy_items_per_s / plan.nodes;
  plan.setting.exchange_share = std::clamp(1 - rate.efficiency, 0.0, 1.0);
}

}  // namespace

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
    const auto* known = gpu_rates_.find(gpu);
    answer.reason = why_no_rate(
        gpu_rates_, gpu, rate, known ? gpu_as_sold(*known, query.gpu_memory_bytes) : GpuSpec{});
    answer.gpu_memory = rate.memory;
    if (rate.verdict == Verdict::out_of_memory) {
      answer.ways_out = ways_to_fit(asked, answer.batch);
    }
    return false;
  }
  take_in_flight(asked, rate.in_flight, plan, answer);
  take_rate(rate, plan, answer);
  const auto& stated = asked.machine.interconnect;
  plan.uncertainty.accelerator = std::hypot(
      rate.log_sd,
      asked.of_job ? assumed_network_log_sd(stated, "", asked.machine.nodes, asked.phase) : 0);
  plan.setting.launch_share =
      launch_share(gpu_rates_, query, rate.way) * (1 - plan.setting.exchange_share);
  if (auto hint = experts_hint(gpu_rates_, facts, query, rate); !hint.empty()) {
    answer.notes.push_back(std::move(hint));
  }
  note_accelerator(asked, rate, is_ampere_or_later(*gpu_rates_.find(gpu)), answer);
  if (asked.phase == Phase::train) {
    note_model_flops(
        facts.network, *gpu_rates_.find(gpu), rate.items_per_s / asked.machine.gpus(), answer);
  }
  if (rate.way.recompute) {
    if (auto vain = recomputed_in_vain(facts.network, asked.precision); !vain.empty()) {
      answer.warn(std::move(vain));
    }
  }
  return true;
}

}  // namespace rightsize
