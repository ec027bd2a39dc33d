// What one kind of GPU does for a job: its own rate, whether the batch fits, and what exchanging
// gradients with its neighbours leaves of it. Shared by the search over offers and by predictions
// for machines that are only described.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "advisor/candidate/network_facts.h"
#include "advisor/query/network_step.h"
#include "advisor/tokens/token_service.h"
#include "models/laws/exchange.h"
#include "models/laws/gpu_memory.h"
#include "models/laws/gpu_rate.h"
#include "models/laws/model_parallel.h"
#include "models/laws/sharded_exchange.h"

namespace rightsize {

inline constexpr std::string_view fp8_needs_gpu =
    "fp8 is of GPUs, from Ada and Hopper on: ask for fp32, or name a GPU";

inline constexpr std::string_view cpu_writes_as_usual =
    "whole texts, and weights and caches narrower than the precision, are modelled on GPUs alone";

[[nodiscard]] bool trains_as_usual(const NetworkStep& step);
// What of such a step is of GPUs alone, in words; of one that trains otherwise.
[[nodiscard]] std::string gpus_train_so_alone(const NetworkStep& step);

// The tuning of the step is that of the facts' network.
struct AcceleratorQuery : NetworkStep {
  std::string gpu;  // canonical
  std::optional<double> gpu_memory_bytes;
  int gpus_per_node = 1;
  int nodes = 1;
  int batch = 32;    // per GPU, of what goes through at once
  double items = 0;  // of the whole job, all epochs; 0: not known, or a service
  InterconnectWords interconnect;
  bool parameter_server = false;
  Compression compression = Compression::none;
};

// Of training whose GPUs share a copy: what these are given in an update.
[[nodiscard]] int items_of_copy(const AcceleratorQuery& query);

enum class Verdict { ok, out_of_memory, unsupported };

struct AcceleratorRate {
  Verdict verdict = Verdict::unsupported;
  std::string reason;  // why it cannot do it; empty when it can
  Precision precision = Precision::fp32;
  Source source = Source::assumed;
  std::string provenance;
  bool memory_tight = false;  // fits, but within 10 % of the GPU's memory
  double items_per_s = 0;     // all GPUs together
  double log_sd = 0;
  double one_gpu_items_per_s = 0;
  int in_flight = 0;  // of each copy that writes texts; 0: the batch that was asked for
  std::optional<TokenServer> texts;  // the copies that write them
  double copy_items_per_s = 0;       // host to device, all GPUs together
  double efficiency = 1;             // items_per_s / (GPUs x one GPU's)
  MemoryWay way;                     // shards where the exchange is sharded
  bool spared_for_memory = false;    // the first of training_ways() does not fit
  bool beyond_memory = false;        // more than a TPU has by our count, and done by a figure
  GpuMemoryNeed memory;              // of each GPU; out of memory: the least that a way takes
  double unspared_bytes = 0;         // of the first of training_ways()
  Exchange exchange = Exchange::nccl;
  std::string interconnect;  // what carried the gradients; "" for one GPU
  bool interconnect_assumed = false;
};

// `gpu` as it is sold: with `memory_bytes`, where that is said.
[[nodiscard]] GpuSpec gpu_as_sold(const GpuSpec& gpu, std::optional<double> memory_bytes);

[[nodiscard]] AcceleratorRate accelerator_rate(const GpuRates& rates,
                                               const NetworkFacts& facts,
                                               const AcceleratorQuery& query);

// Of one GPU without its neighbours: nullopt where the laws do not know the network; of decode
// where it was not measured.
[[nodiscard]] std::optional<GpuRate> single_gpu_rate(const GpuRates& rates,
                                                     const AcceleratorQuery& query,
                                                     const MemoryWay& way);
// By the law of the query's network, phase and precision.
[[nodiscard]] GpuMemoryNeed single_gpu_memory(const GpuMemoryLaw& law,
                                              const AcceleratorQuery& query,
                                              const MemoryWay& way);
[[nodiscard]] GpuMemoryLaw memory_law(const NetworkFacts& facts, const AcceleratorQuery& query);

// Both, for those who ask for many numbers of one GPU and remember what takes long.
struct SingleGpu {
  std::function<std::optional<GpuRate>(const MemoryWay&)> rate;
  std::function<GpuMemoryNeed(const MemoryWay&)> memory;
};
[[nodiscard]] AcceleratorRate accelerator_rate(const GpuSpec& gpu,
                                               const SingleGpu& single,
                                               const NetworkFacts& facts,
                                               const AcceleratorQuery& query);

// The part of one GPU's step, without exchange, in which it waits for the host's launches; 0 where
// the laws do not know the network.
[[nodiscard]] double launch_share(const GpuRates& rates,
                                  const AcceleratorQuery& query,
                                  const MemoryWay& way = {});

}  // namespace rightsize
