#include "advisor/candidate/accelerator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/decode_rate.h"
#include "advisor/candidate/exchanged_step.h"
#include "advisor/candidate/refusal.h"
#include "advisor/candidate/step_refusal.h"
#include "advisor/candidate/taken_alone.h"
#include "advisor/candidate/text_rate.h"
#include "advisor/candidate/training_way.h"
#include "kernels/gibibyte.h"
#include "kernels/work.h"
#include "models/laws/compiled_rate.h"
#include "models/laws/table_exchange.h"
#include "models/laws/toolchain.h"
#include "models/laws/tpu.h"

namespace rightsize {
namespace {

// Assumptions, none of them measured here.
constexpr double pcie_bytes_per_s = 12e9;  // pinned copies, per GPU

// Sharing what fits whole asks for another program: it has to be faster by more than its law is
// off between numbers of GPUs (3.2 % at the median of 63 published rates, bench_sharded).
constexpr double worth_sharing = 1.03;

AcceleratorRate refused(Verdict verdict, std::string reason) {
  AcceleratorRate none;
  none.verdict = verdict;
  none.reason = std::move(reason);
  return none;
}

// Tables in the memory of the host, with a cache of rows on the GPU, are another design.
std::string too_small_for(const GpuSpec& gpu,
                          const std::vector<MemoryWay>& ways,
                          const NetworkFacts& facts) {
  const auto any = [&](auto of) {
    return std::any_of(ways.begin() + 1, ways.end(), of);  // beyond what was asked for
  };
  const bool sharded = any([](const MemoryWay& way) { return way.gathers(); });
  const bool recomputed = any([](const MemoryWay& way) { return way.recompute; });
  const bool of_tpus = toolchain_of(gpu) == Toolchain::xla;
  return (of_tpus ? "chip memory too small" : std::string(gpu_memory_too_small)) +
         " for the batch" +
         (sharded      ? ", also with sharded parameters"
          : recomputed ? ", also with recomputation"
          : facts.table_elements > 0
              ? " and its tables, which are modelled in the memory of GPUs alone"
              : "") +
         (of_tpus ? "; what MaxText can keep in the host's memory is not modelled" : "");
}

RateQuery rate_query(const AcceleratorQuery& query, const MemoryWay& way) {
  RateQuery asked;
  asked.network = query.network;
  asked.phase = query.phase;
  asked.precision = query.precision;
  asked.gpu = query.gpu;
  asked.batch = way.parallel.any() ? way.parallel.micro_batch : query.batch;
  asked.tensor = way.parallel.tensor;
  asked.sequence = query.sequence;
  asked.stack = query.stack;
  asked.framework = query.framework;
  asked.tuning = query.tuning;
  asked.recompute = way.recompute;
  asked.expert_ranks = way.expert_ranks();
  asked.expert_tensor = way.parallel.gpus_of_expert();
  asked.context = way.parallel.context;
  asked.shards = std::max(1, way.shards);
  asked.gathers = way.gathers();
  if (way.parallel.any()) {
    // The optimizer's work is done once for all micro-batches, by the copies, a stage's part of it
    // with that of the layers (laws/model_parallel.h); products add gradients up as they make them
    // (Megatron's gradient_accumulation_fusion).
    asked.portions = way.parallel.micro_batches(items_of_copy(query));
  } else {
    asked.accumulate = query.accumulate;
  }
  return asked;
}

// What a published program did goes before our count of it, where no way fits by that.
bool was_done(const GpuSpec& gpu, const AcceleratorQuery& query, const MemoryWay& way) {
  return way.gathers() && was_done_on_tpu(rate_query(query, way), gpu);
}

// Of a way whose step fits, or was done.
AcceleratorRate rate_of_way(const GpuSpec& gpu,
                            const GpuRate& single,
                            const NetworkFacts& facts,
                            const AcceleratorQuery& query,
                            AcceleratorRate result) {
  result.verdict = Verdict::ok;
  result.precision = single.precision;
  result.source = single.source;
  result.provenance =
      single.provenance +
      (result.beyond_memory
           ? fmt::format(
                 "; by our count {:.1f} GiB do not fit a chip: MaxText did so large a batch "
                 "with some of it in the host's memory",
                 result.memory.total() / bytes_per_gib)
           : "");
  const auto& parallel = result.way.parallel;
  const int gpus = query.gpus_per_node * query.nodes;
  const int at_once = parallel.any() ? parallel.micro_batch : query.batch;
  double step_s = at_once / single.items_per_s;
  result.one_gpu_items_per_s =
      single.items_per_s / (parallel.tensor * parallel.context);  // all layers, whole items
  double scaling_sd = 0;
  if (gpus > 1 && has_backward(query.phase)) {
    step_s = exchanged_step_seconds(facts, query, gpu, step_s, result);
    scaling_sd = ExchangeLaw{}.scaling_log_sd(single.language, query.nodes);
    scaling_sd = std::hypot(scaling_sd, result.way.expert_ranks() > 1 ? expert_log_sd : 0);
  }
  if (result.way.table_ranks > 1) {
    step_s += divided_tables_seconds(facts, query, gpu, result);
    scaling_sd = std::hypot(scaling_sd, table_log_sd);
  }
  const double items = parallel.any() ? 1.0 * gpus / parallel.gpus() * items_of_copy(query)
                                      : 1.0 * gpus * query.batch;
  result.items_per_s = items / step_s;
  result.efficiency = result.items_per_s / (gpus * result.one_gpu_items_per_s);
  result.log_sd = std::hypot(single.log_sd, scaling_sd);
  result.copy_items_per_s = gpus * pcie_bytes_per_s / facts.input_bytes;
  return result;
}

// Of the ways that fit; what spares nothing unasked goes before what is hardly faster.
AcceleratorRate fastest_way(const GpuSpec& gpu,
                            const GpuSpec& sold,
                            const SingleGpu& single,
                            const NetworkFacts& facts,
                            const AcceleratorQuery& query) {
  const auto ways = training_ways(facts, query);
  AcceleratorRate best = refused(Verdict::out_of_memory, too_small_for(gpu, ways, facts));
  const double unspared_bytes = single.memory(ways.front()).total();
  bool first_fits = false;
  std::set<int> kept_for;  // numbers of shards for which all activations fit
  for (const auto& way : ways) {
    if (way.recompute && !way.parallel.any() && kept_for.contains(way.shards)) {
      continue;  // the same work and more: faster only where nobody told its rate
    }
    // Stored as asked: mixed precision keeps halves also where the GPU computes them in FP32.
    AcceleratorRate trying;
    trying.way = way;
    trying.memory = single.memory(way);
    const auto verdict = judge_memory(trying.memory, sold);
    trying.unspared_bytes = unspared_bytes;
    trying.beyond_memory = verdict == MemoryVerdict::too_small && best.verdict != Verdict::ok &&
                           was_done(gpu, query, way);
    if (verdict == MemoryVerdict::too_small && !trying.beyond_memory) {
      const bool least = best.memory.total() == 0 || trying.memory.total() < best.memory.total();
      best.memory = best.verdict != Verdict::ok && least ? trying.memory : best.memory;
      continue;
    }
    trying.memory_tight = verdict == MemoryVerdict::tight;
    first_fits = first_fits || &way == &ways.front();
    if (!way.recompute) {
      kept_for.insert(way.shards);
    }
    trying.spared_for_memory = !first_fits;
    const auto rate = single.rate(way);
    if (!rate) {
      return refused(Verdict::unsupported, "the GPU laws know no such network or sequence");
    }
    const auto made = rate_of_way(gpu, taken_alone(*rate, way, facts, query), facts, query, trying);
    const double worth = first_fits && !way.parallel.any() ? worth_sharing : 1;
    best = made.items_per_s > worth * best.items_per_s ? made : best;
  }
  return best;
}

}  // namespace

int items_of_copy(const AcceleratorQuery& query) {
  const auto items = std::int64_t{query.batch} * query.accumulate * query.gpus_per_copy();
  return query.copy_batch > 0 ? query.copy_batch
                              : static_cast<int>(std::min<std::int64_t>(items, INT32_MAX));
}

bool trains_as_usual(const NetworkStep& step) {
  return step.tuning == Tuning{} && step.accumulate == 1 && step.expert_parallel == 1 &&
         step.global_batch == 0;
}

std::string gpus_train_so_alone(const NetworkStep& step) {
  std::vector<std::string_view> what;
  if (step.tuning != Tuning{}) {
    what.emplace_back("adapters, another optimizer or no master weights");
  }
  if (step.accumulate != 1 || step.global_batch != 0) {
    what.emplace_back("accumulated minibatches");
  }
  if (step.expert_parallel != 1) {
    what.emplace_back("divided experts");
  }
  return fmt::format("{} are modelled on GPUs alone", fmt::join(what, " and "));
}

GpuSpec gpu_as_sold(const GpuSpec& gpu, std::optional<double> memory_bytes) {
  GpuSpec sold = gpu;  // some GPUs are sold with two sizes of memory
  if (memory_bytes) {
    sold.memory_gb = memory_gb_as_stated(gpu, *memory_bytes / bytes_per_gib);
  }
  if (gpu.arch == "CDNA2") {  // of MI250's 128 GB each of its two dies has half
    sold.memory_gb = std::min(sold.memory_gb, gpu.memory_gb);
  }
  return sold;
}

std::optional<GpuRate> single_gpu_rate(const GpuRates& rates,
                                       const AcceleratorQuery& query,
                                       const MemoryWay& way) {
  return rates.rate(rate_query(query, way));
}

GpuMemoryLaw memory_law(const NetworkFacts& facts, const AcceleratorQuery& query) {
  return {facts.network, query.phase, query.precision};
}

GpuMemoryNeed single_gpu_memory(const GpuMemoryLaw& law,
                                const AcceleratorQuery& query,
                                const MemoryWay& way) {
  return law.need(way.parallel.any() ? items_of_copy(query) : query.batch, way);
}

AcceleratorRate accelerator_rate(const GpuRates& rates,
                                 const NetworkFacts& facts,
                                 const AcceleratorQuery& query) {
  const GpuSpec* gpu = rates.find(query.gpu);
  if (gpu == nullptr) {
    return refused(Verdict::unsupported, "no figures for this GPU");
  }
  const auto law = memory_law(facts, query);
  const SingleGpu single{[&](const MemoryWay& way) { return single_gpu_rate(rates, query, way); },
                         [&](const MemoryWay& way) { return single_gpu_memory(law, query, way); }};
  return accelerator_rate(*gpu, single, facts, query);
}

AcceleratorRate accelerator_rate(const GpuSpec& gpu,
                                 const SingleGpu& single,
                                 const NetworkFacts& facts,
                                 const AcceleratorQuery& query) {
  if (auto reason = why_unsupported(facts, query); !reason.empty()) {
    return refused(Verdict::unsupported, std::move(reason));
  }
  if (auto reason = why_unsupported_by(gpu, facts, query); !reason.empty()) {
    return refused(Verdict::unsupported, std::move(reason));
  }
  const auto sold = gpu_as_sold(gpu, query.gpu_memory_bytes);
  if (query.phase == Phase::decode && query.writing.of_texts()) {
    return text_rate(sold, facts, query);
  }
  if (query.phase == Phase::decode) {
    return decode_rate(sold, single.rate({}), facts, query);
  }
  return fastest_way(gpu, sold, single, facts, query);
}

double launch_share(const GpuRates& rates, const AcceleratorQuery& query, const MemoryWay& way) {
  // Serving programs launch a graph of kernels at once.
  return query.phase == Phase::decode ? 0 : rates.launch_share(rate_query(query, way)).value_or(0);
}

}  // namespace rightsize
