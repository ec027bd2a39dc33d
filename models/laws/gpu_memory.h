// Device memory that one step of a network needs, and whether a GPU has it. What must be there is
// counted from the layers (kernels/work.h): parameters and their copies, activations kept for the
// backward pass, gradients in flight. What frameworks add: the context with loaded kernels and a
// workspace for the convolution with the largest tensors, up to 1 GiB as MXNet and Caffe give it
// (both assumed), and what the caching allocator cannot hand out again, 1 % of the activations by
// the largest batches that others found to fit. Chen et al., "Training deep nets with sublinear
// memory cost", 2016, section 3, for what is kept. Ranks may divide what is not activation among
// themselves, and blocks may be run again instead of kept (kernels/network_blocks.h). Where t GPUs
// share every layer and p stages the layers (model_parallel.h), a GPU has 1 / (t p) of parameters
// and their state, and 1 / t of the activations of its blocks for all micro-batches under way: of
// the first stage p of them (Korthikanti et al., MLSys 2023, sections 4.2 and 4.3). Of a mixture's
// experts that copies divide it has a part (expert_exchange.h), and so it has of a recommender's
// tables (table_exchange.h). Where fewer GPUs share an expert than share the other layers, its part
// is the larger, and the optimizer's state is divided by all GPUs of a stage all the same.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "kernels/network.h"
#include "kernels/network_blocks.h"
#include "kernels/training_state.h"
#include "kernels/workload.h"
#include "models/laws/gpu_spec.h"

namespace rightsize {

struct GpuMemoryNeed {
  double parameters_bytes = 0;   // weights, gradients, optimizer's state, narrow copies
  double activations_bytes = 0;  // kept, in flight, inputs; decode: the cache of keys and values
  double workspace_bytes = 0;
  double overhead_bytes = 0;  // context and fragmentation

  [[nodiscard]] double total() const {
    return parameters_bytes + activations_bytes + workspace_bytes + overhead_bytes;
  }
};

// How many GPUs share a copy of the network, and in what portions work goes through it.
struct ModelParallel {
  int tensor = 1;       // GPUs of one node that share every layer
  int pipeline = 1;     // stages
  int micro_batch = 1;  // items of training that pass through together
  int experts = 1;      // copies that divide a mixture's experts: of these each has a part
  int context = 1;      // GPUs that share every sequence: each has a part of its positions
  int chunks = 1;       // parts of the layers that a stage has, between those of other stages
  // GPUs that share every expert where those of `tensor` do not all; 0: they do.
  int expert_tensor = 0;

  [[nodiscard]] bool any() const {
    return tensor > 1 || pipeline > 1 || experts > 1 || context > 1;
  }
  // That take an item together.
  [[nodiscard]] int gpus() const { return tensor * pipeline * context; }
  // In which the parameters lie that are no expert's.
  [[nodiscard]] int parts() const { return tensor * pipeline; }
  [[nodiscard]] int gpus_of_expert() const { return expert_tensor > 0 ? expert_tensor : tensor; }
  // Whether experts lie otherwise on a stage's GPUs than its other layers (parallel folding).
  [[nodiscard]] bool folds() const { return gpus_of_expert() != tensor; }
  // Portions in which a copy takes so many items.
  [[nodiscard]] int micro_batches(int copy_items) const { return copy_items / micro_batch; }

  auto operator<=>(const ModelParallel&) const = default;
};

// How a training step spares memory.
struct MemoryWay {
  int shards = 0;  // ranks that divide parameters, gradients and the optimizer's state; 0: all have
                   // all
  bool recompute = false;  // blocks' activations, from their inputs
  ModelParallel parallel{};
  int gathered_experts =
      1;                // ranks that divide a mixture's experts, of shards that gather all else
  int table_ranks = 1;  // that divide a recommender's tables evenly, by rows where one is large
  // Of a `parallel` way without stages: the copies divide parameters and gradients too.
  bool divides_parameters = false;

  // Shards that gather parameters (FSDP, ZeRO stage 3); else they share the state alone.
  [[nodiscard]] bool gathers() const {
    return shards > 0 && (divides_parameters || !parallel.any());
  }
  [[nodiscard]] int expert_ranks() const { return std::max(gathered_experts, parallel.experts); }

  auto operator<=>(const MemoryWay&) const = default;
};

// What one step of a network needs, for who asks for many batches and ways: the layers are counted
// once. No allocation but for the blocks of sharded parameters.
class GpuMemoryLaw {
 public:
  // `network` is borrowed.
  GpuMemoryLaw(const Network& network, Phase phase, Precision precision);

  // `way` says nothing of phases without a backward pass but how tables are divided. With a
  // `parallel` way `batch` is a copy's, and `shards` are those that share the optimizer's state and
  // the FP32 masters of their part (ZeRO stage 1), or all of it (divides_parameters).
  [[nodiscard]] GpuMemoryNeed need(int batch, const MemoryWay& way = {}) const;

 private:
  struct StageParameters;

  [[nodiscard]] double kept_bytes(int batch) const;
  // Where so many divide what is no activation.
  [[nodiscard]] double sharded_bytes(int ranks, int expert_ranks) const;
  [[nodiscard]] StageParameters stage_parameters(int stages) const;
  [[nodiscard]] double parallel_parameter_bytes(const MemoryWay& way, double whole_bytes) const;
  [[nodiscard]] GpuMemoryNeed model_parallel_need(int batch, const MemoryWay& way) const;

  const Network& network_;
  Phase phase_;
  Precision precision_;
  bool learns_;
  double element_bytes_;
  double parameters_bytes_ = 0;  // of a GPU that has all
  double row_tables_bytes_ = 0;  // of these, of tables that ranks may divide
  double item_bytes_ = 0;        // of an item, kept and in flight
  double spared_elements_ = 0;   // of an item whose blocks run again; 0 where nothing is learnt
  double workspace_elements_ = 0;
  double widened_bytes_ = 0;
  StateBytes state_;
  std::vector<BlockParameters> blocks_;
  int fewest_heads_ = 0;  // of keys and values, of layers that have some
};

// The same of one.
[[nodiscard]] GpuMemoryNeed gpu_memory_need(
    const Network& network, Phase phase, Precision precision, int batch, const MemoryWay& way = {});

// Whether a training that keeps its blocks' inputs alone needs less than one that keeps all: not
// where few blocks, or none, can be run again.
[[nodiscard]] bool recomputation_spares(const Network& network, Precision precision);

// What a program can have of the memory on the data sheet: vendors count binary gigabytes, the
// driver keeps about 1 %.
[[nodiscard]] double usable_memory_bytes(const GpuSpec& gpu);

// As nvidia-smi shows it: what the data sheet says, less what ECC takes of GDDR.
[[nodiscard]] double visible_memory_bytes(const GpuSpec& gpu);

// What `gpu`.memory_gb is where a seller states `stated_gib` for it: sellers state the data
// sheet's, or what ECC leaves of it (AWS: 44.7 of an L40S's 48), which it does not take twice.
[[nodiscard]] double memory_gb_as_stated(const GpuSpec& gpu, double stated_gib);

// tight: within 10 % of the boundary, where frameworks differ.
enum class MemoryVerdict { fits, tight, too_small };

[[nodiscard]] MemoryVerdict judge_memory(const GpuMemoryNeed& need, const GpuSpec& gpu);

}  // namespace rightsize
