#include "models/laws/gpu_memory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "kernels/adapter_work.h"
#include "kernels/gibibyte.h"
#include "kernels/quantized_weights.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

constexpr double context_bytes = 0.5 * bytes_per_gib;
constexpr double most_workspace_bytes = 1.0 * bytes_per_gib;
// Between the largest training batches that ran on 24 GiB and those that did not
// (calibration/collected_rates.csv, timm); blocks of a size come back, so that little is lost.
constexpr double fragmentation = 0.01;
constexpr double driver_share = 0.01;
// Of GDDR whose ECC is on as delivered: it lies in the memory itself. nvidia-smi shows 23028 MiB on
// an A10G, 46068 on an L40S and an A40, 15360 on a T4. HBM has bits of its own for it.
constexpr double ecc_share = 1.0 / 16;
constexpr std::array<std::string_view, 17> ecc_in_memory{"K20",
                                                         "K40",
                                                         "K80",
                                                         "M40",
                                                         "M60",
                                                         "P4",
                                                         "P40",
                                                         "T4",
                                                         "T4g",
                                                         "A2",
                                                         "A10",
                                                         "A10G",
                                                         "A16",
                                                         "A40",
                                                         "L4",
                                                         "L40",
                                                         "L40S"};
constexpr double tight_share = 0.10;
// What programs that train adapters keep of activations beside what the layers need: norms and
// scores in FP32, rotated copies, gates in steps. Set to LitGPT's and Qwen's memory
// (calibration/adapters.csv); torchtune, compiled and with the loss in chunks, keeps none of it.
constexpr double adapter_training_keeps = 1.7;

// The largest input and output of a convolution, once more in the layout its algorithm works in.
double workspace_elements(const Network& network) {
  double most = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    if (network.layers[i].kind == LayerKind::convolution) {
      const auto work = layer_work(network, i);
      most = std::max(most, static_cast<double>(work.input_elements + work.output_elements));
    }
  }
  return most;
}

// What a GPU keeps of an item's keys and values beyond its part of them, where fewer heads have
// them than GPUs share a layer: one head's all the same.
double repeated_elements(const Network& network, int tensor) {
  double elements = 0;
  for (const auto& layer : network.layers) {
    if (layer.kind == LayerKind::attention && layer.kv_heads > 0 && layer.kv_heads < tensor) {
      const double of_head =
          2.0 * static_cast<double>(layer.head_dim) * static_cast<double>(layer.out.positions());
      elements += of_head * (1 - static_cast<double>(layer.kv_heads) / tensor);
    }
  }
  return elements;
}

// The fewest heads of keys and values of any layer that has some.
int fewest_heads(const Network& network) {
  int fewest = std::numeric_limits<int>::max();
  for (const auto& layer : network.layers) {
    if (layer.kind == LayerKind::attention && layer.kv_heads > 0) {
      fewest = std::min(fewest, static_cast<int>(layer.kv_heads));
    }
  }
  return fewest;
}

}  // namespace

struct GpuMemoryLaw::StageParameters {
  double experts = 0;
  double others = 0;
};

GpuMemoryLaw::GpuMemoryLaw(const Network& network, Phase phase, Precision precision)
    : network_(network),
      phase_(phase),
      precision_(precision),
      learns_(has_backward(phase)),
      element_bytes_(bytes_per_element(precision)) {
  if (phase == Phase::preprocess) {
    return;
  }
  const auto counted = [&](int items) {
    return static_cast<double>(device_memory_bytes(network, phase, precision, items));
  };
  parameters_bytes_ = counted(0);
  row_tables_bytes_ = static_cast<double>(row_table_bytes(network, phase, precision));
  item_bytes_ = counted(1) - counted(0);
  workspace_elements_ = workspace_elements(network);
  widened_bytes_ = learns_ ? static_cast<double>(widened_matrix_bytes(network, precision))
                           : largest_widened_bytes(network, precision);
  if (learns_) {
    spared_elements_ =
        static_cast<double>(recomputed_activation_elements(network) + in_flight_elements(network));
    state_ = state_bytes(network, phase, precision);
    blocks_ = parameters_by_block(network);
    fewest_heads_ = fewest_heads(network);
  }
}

// In proportion to the items, but of a network that makes pictures, of which so many are made at a
// time.
double GpuMemoryLaw::kept_bytes(int batch) const {
  return makes_pictures(network_)
             ? static_cast<double>(device_memory_bytes(network_, phase_, precision_, batch)) -
                   parameters_bytes_
             : item_bytes_ * batch;
}

double GpuMemoryLaw::sharded_bytes(int ranks, int expert_ranks) const {
  return static_cast<double>(
      network_.adapters.any()
          ? sharded_parameter_bytes(network_, phase_, precision_, ranks, expert_ranks)
          : sharded_parameter_bytes(blocks_, state_, precision_, ranks, expert_ranks));
}

// Of the fullest stage: its blocks, one more where they do not divide, and the embedding or the
// head, whichever is larger.
GpuMemoryLaw::StageParameters GpuMemoryLaw::stage_parameters(int stages) const {
  StageParameters inside;
  double outside = 0;
  double most_outside = 0;
  int count = 0;
  for (const auto& block : blocks_) {
    const auto experts = static_cast<double>(block.experts);
    const auto others = static_cast<double>(block.others);
    if (block.recomputable) {
      ++count;
      inside.experts += experts;
      inside.others += others;
    } else {
      outside += experts + others;
      most_outside = std::max(most_outside, experts + others);
    }
  }
  if (stages == 1 || count == 0) {
    return {inside.experts, inside.others + outside};
  }
  const double share = std::ceil(1.0 * count / stages) / count;
  return {inside.experts * share, inside.others * share + most_outside};
}

// Of one GPU of the fullest stage. Copies share the optimizer's state and the masters of what they
// all have; of adapters' they have little.
double GpuMemoryLaw::parallel_parameter_bytes(const MemoryWay& way, double whole_bytes) const {
  const auto& parallel = way.parallel;
  if (way.gathers()) {
    return sharded_bytes(way.shards, parallel.experts) / parallel.tensor;
  }
  const auto stage = stage_parameters(parallel.pipeline);
  // Of an expert so many of tensor's GPUs have a part; what all of a stage's share is the same.
  const double expert_ranks = 1.0 * parallel.experts * parallel.gpus_of_expert() / parallel.tensor;
  if (network_.adapters.any()) {
    return whole_bytes * (stage.others + stage.experts / expert_ranks) /
           static_cast<double>(parameter_count(network_)) / parallel.tensor;
  }
  const double own = state_.gradient + (state_.copy > 0 ? state_.copy : state_.parameter);
  const double shared = state_.kept() + state_.copy - own;
  const double copies = std::max(1, way.shards);
  return (stage.others * (own + shared / copies) +
          stage.experts * (own / expert_ranks + shared / copies)) /
         parallel.tensor;
}

// Of the first stage's GPUs: its part of what one GPU with all layers has for a micro-batch.
GpuMemoryNeed GpuMemoryLaw::model_parallel_need(int batch, const MemoryWay& way) const {
  const auto& parallel = way.parallel;
  const auto whole = this->need(parallel.micro_batch, {.recompute = way.recompute});
  const double stages = parallel.pipeline;
  // Of a stage's layers; the first of interleaved ones begins more before it ends the first
  // (Narayanan et al., SC 2021, section 2.2).
  const double early = parallel.chunks > 1 ? (stages - 1) / (stages * parallel.chunks) : 0;
  const double most = stages * (1 + early);
  const double under_way = std::min<double>(parallel.micro_batches(batch), most) / stages;
  GpuMemoryNeed need = whole;
  need.parameters_bytes = parallel_parameter_bytes(way, whole.parameters_bytes);
  need.activations_bytes =
      whole.activations_bytes * under_way / (parallel.tensor * parallel.context);
  if (!way.recompute && parallel.tensor > fewest_heads_) {
    need.activations_bytes += repeated_elements(network_, parallel.tensor) * element_bytes_ *
                              parallel.micro_batch * under_way / parallel.context;
  }
  need.overhead_bytes = context_bytes + fragmentation * need.activations_bytes;
  return need;
}

GpuMemoryNeed GpuMemoryLaw::need(int batch, const MemoryWay& way) const {
  if (learns_ && way.parallel.any()) {
    return model_parallel_need(batch, way);
  }
  GpuMemoryNeed need;
  if (phase_ == Phase::preprocess) {
    return need;
  }
  need.parameters_bytes = learns_ && way.shards > 0
                              ? sharded_bytes(way.shards, way.gathered_experts)
                              : parameters_bytes_;
  need.parameters_bytes -= row_tables_bytes_ * (1 - 1.0 / way.table_ranks);
  need.activations_bytes = kept_bytes(batch);
  if (learns_ && way.recompute) {
    need.activations_bytes =
        std::min(need.activations_bytes, spared_elements_ * element_bytes_ * batch);
  }
  need.activations_bytes *= learns_ && network_.adapters.any() ? adapter_training_keeps : 1;
  need.workspace_bytes =
      std::min(most_workspace_bytes, workspace_elements_ * batch * element_bytes_) + widened_bytes_;
  need.overhead_bytes = context_bytes + fragmentation * need.activations_bytes;
  return need;
}

GpuMemoryNeed gpu_memory_need(
    const Network& network, Phase phase, Precision precision, int batch, const MemoryWay& way) {
  return GpuMemoryLaw(network, phase, precision).need(batch, way);
}

bool recomputation_spares(const Network& network, Precision precision) {
  const GpuMemoryLaw law(network, Phase::train, precision);
  const auto activations = [&](bool recompute) {
    return law.need(1, {.recompute = recompute}).activations_bytes;
  };
  return activations(true) < activations(false);
}

namespace {

// Of what the data sheet says.
double share_beside_ecc(const GpuSpec& gpu) {
  const bool ecc =
      std::find(ecc_in_memory.begin(), ecc_in_memory.end(), gpu.name) != ecc_in_memory.end();
  return ecc ? 1 - ecc_share : 1;
}

}  // namespace

double visible_memory_bytes(const GpuSpec& gpu) {
  return gpu.memory_gb * bytes_per_gib * share_beside_ecc(gpu);
}

double usable_memory_bytes(const GpuSpec& gpu) {
  return visible_memory_bytes(gpu) * (1 - driver_share);
}

double memory_gb_as_stated(const GpuSpec& gpu, double stated_gib) {
  const double share = share_beside_ecc(gpu);
  return share < 1 ? std::min(gpu.memory_gb, stated_gib / share) : stated_gib;
}

MemoryVerdict judge_memory(const GpuMemoryNeed& need, const GpuSpec& gpu) {
  const double share = need.total() / usable_memory_bytes(gpu);
  return share > 1                 ? MemoryVerdict::too_small
         : share > 1 - tight_share ? MemoryVerdict::tight
                                   : MemoryVerdict::fits;
}

}  // namespace rightsize
