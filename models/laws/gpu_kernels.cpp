#include "models/laws/gpu_kernels.h"

#include <algorithm>

#include "kernels/adapter_work.h"
#include "kernels/frozen_layers.h"
#include "kernels/network_blocks.h"
#include "kernels/quantized_weights.h"
#include "kernels/work.h"
#include "models/laws/gathered_kernels.h"
#include "models/laws/layer_kernels.h"
#include "models/laws/recurrence_kernels.h"

namespace rightsize {
namespace {

double number(std::int64_t value) {
  return static_cast<double>(value);
}

// As ModernBERT does in two layers of three, by rotary positions: no model that writes. Windows
// without have biases of distance (Swin's), for which kernels of today write the scores.
bool sees_windows_around(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.kind == LayerKind::attention && layer.window > 0 && !layer.causal &&
           !has_biased_window(layer);
  });
}

// Kernels that DeBERTa's attention has and BERT's does not, each next to no work: distances' keys
// and queries by the words' matrices, their places (clamped, gathered), divisions, sums, a softmax
// with two masks. 28 by transformers' modeling_deberta_v2.py, where BERT's block of 20 is 10 layers
// here, whose launches the law was fitted to; counted, not fitted.
constexpr double distance_launches = 14;

class Collector {
 public:
  Collector(const Network& network, Phase phase, int tensor, int expert_ranks, int expert_tensor)
      : network_(network),
        kernels_(network, phase, tensor),
        tensor_(tensor),
        expert_ranks_(expert_ranks),
        expert_tensor_(expert_tensor > 0 ? expert_tensor : tensor),
        denoises_(is_denoiser(network)),
        reads_apart_(!denoises_ && takes_given(network)),
        windowed_(sees_windows_around(network)),
        norms_folded_(network.fused_to_infer && phase == Phase::infer),
        frozen_(has_backward(phase) ? frozen_layers(network) : FrozenLayers{}),
        widens_(kernels_.adapted() || (!has_backward(phase) && widens_weights(network))),
        adapters_(adapter_shapes(network)),
        kept_bytes_(kernels_.adapted() ? frozen_bytes_per_parameter(network, Precision::bf16)
                                       : kept_bytes_per_parameter(network, Precision::bf16)) {}

  GpuWork take(bool recompute) {
    for (std::size_t i = 1; i < network_.layers.size(); ++i) {
      add_layer(i);
    }
    if (recompute && kernels_.learns()) {
      add_again();
    }
    return kernels_.take();
  }

 private:
  // Blocks' forward kernels once more.
  void add_again() {
    kernels_.go_forward_again();
    for (const auto& block : blocks_of(network_)) {
      for (std::size_t i = block.first; block.recomputable && i < block.end; ++i) {
        add_layer(i);
      }
    }
  }

  // Nobody wants the gradient of what it reads.
  [[nodiscard]] bool is_first(const Layer& layer) const {
    const auto from = static_cast<std::size_t>(layer.inputs.at(0));
    return from < std::max<std::size_t>(1, frozen_.end) ||
           network_.layers[from].kind == LayerKind::log_counts;
  }

  // A matrix in 4 or 8 bits is read and written wide before each product it is a factor of. The
  // kernels that do it reach a fifth of the memory's bandwidth: set to Qwen's times (GPTQ) and
  // LitGPT's (bitsandbytes), both of A100 (calibration/adapters.csv, sources/litgpt.py).
  void widen(std::size_t index, double weights) {
    constexpr double element_bytes = 2;
    constexpr double slowness = 5;
    if (widens_ && kept_bytes_[index] < element_bytes) {
      constexpr double eight_bits = 1.5;  // at most, with the scales of its groups
      kernels_.add(
          {.of_widening = kept_bytes_[index] >= 1 && kept_bytes_[index] < eight_bits,
           .elements_fixed = slowness * weights * (1 + kept_bytes_[index] / element_bytes)},
          kernels_.learns() ? 2 : 1);
    }
  }

  // Of GPUs that share the layer each has a part of the matrix at the side that they divide, and
  // the other whole.
  void add_adapter(std::size_t index, const AdapterShape& shape) {
    const auto& layer = network_.layers[index];
    const bool by_input = splits_input(network_, index);
    const double rank = network_.adapters.rank;
    const double rows = number(layer.out.positions());
    const auto product = [&](double inner, double columns) {
      kernels_.products(layer,
                        {.flops_per_item = 2 * rows * inner * columns,
                         .rows = rows,
                         .columns = columns,
                         .inner = inner,
                         .dense = true,
                         .of_adapter = true,
                         .elements_per_item = rows * (inner + columns),
                         .elements_fixed = inner * columns},
                        rows,
                        false);
      kernels_.update_trained(inner * columns);
    };
    product(number(shape.in) / (by_input ? tensor_ : 1), rank);
    product(rank, number(shape.out) / (by_input ? 1 : tensor_));
    for (const double elements : adapter_passes(shape, rows, kernels_.learns())) {
      kernels_.add({.of_adapter = true, .elements_per_item = elements / tensor_});
    }
  }

  void add_product_layer(std::size_t index, const LayerWork& work, const FeatureShape& in) {
    const auto& layer = network_.layers[index];
    const auto kernel = product_kernel(network_, index, tensor_);
    const double in_rows = layer.kind == LayerKind::fully_connected ? 1 : number(in.positions());
    widen(index, kernel.elements_fixed);
    kernels_.products(layer, kernel, in_rows, is_first(layer), kernels_.adapted());
    kernels_.update(static_cast<double>(work.parameters));
    if (kernels_.adapted()) {
      for (const auto& shape : adapters_[index]) {
        add_adapter(index, shape);
      }
    }
  }

  void add_experts(const Layer& layer, const LayerWork& work, const FeatureShape& in) {
    const double taken =
        number(layer.out.positions() * layer.experts_per_token) * expert_tensor_ / tensor_;
    const double hidden = number(layer.hidden) / expert_tensor_;
    for (const auto& kernel : expert_kernels(layer, in, tensor_, expert_ranks_, expert_tensor_)) {
      kernels_.products(layer, kernel, kernel.rows, false, kernels_.adapted());
    }
    const double made = layer.gated ? 2 : 1;
    kernels_.both_ways((made + 1) * taken * hidden, (2 * made + 1) * taken * hidden);
    const double moved = taken * number(in.c);
    kernels_.both_ways(2 * moved, 2 * moved);  // tokens brought together by expert
    kernels_.both_ways(2 * moved, 3 * moved);  // and added up
    kernels_.update(static_cast<double>(work.parameters));
  }

  // Recurrent: a small product for every position, one after the other.
  void add_lstm(const Layer& layer, const LayerWork& work, const FeatureShape& in) {
    const double directions = layer.bidirectional ? 2 : 1;
    const double steps = directions * number(layer.out.positions());
    GpuKernel kernel;
    kernel.rows = 1;
    kernel.columns = 4 * number(layer.hidden);
    kernel.inner = number(in.c + layer.hidden);
    kernel.flops_per_item = 2 * kernel.columns * kernel.inner;
    kernel.elements_per_item = 10 * number(layer.hidden);
    kernel.elements_fixed = kernel.columns * kernel.inner;
    kernels_.add(kernel, steps);
    if (kernels_.learns()) {
      kernels_.add(kernel, 2 * steps);
    }
    kernels_.update(static_cast<double>(work.parameters));
  }

  void add_attention(const Layer& layer, const LayerWork& work) {
    // Language models that write, and denoisers, are run by such kernels, and no others leave out
    // what a window hides; BERT's figures here are of before, as are T5's and BART's.
    const bool fused = denoises_ || windowed_ || (layer.causal && !reads_apart_);
    auto kernel = attention_kernel(layer, work, tensor_, fused);
    kernels_.add(kernel);
    if (layer.distances > 0) {
      kernels_.add({}, distance_launches * (kernels_.learns() ? 3 : 1));
    }
    if (has_biased_window(layer)) {
      const auto passes = biased_score_passes(layer);
      kernels_.both_ways(passes.forward / tensor_, passes.back / tensor_);
    }
    if (kernels_.learns()) {
      kernel.flops_per_item *= 2;
      kernel.elements_per_item *= 2;
      kernel.scores_per_item *= 2;
      kernels_.add(kernel);
    }
  }

  // A lookup reads rows and writes their sums. Back, rows are read and written where they alone are
  // updated, with Adagrad's sums beside; of whole tables the gradient is begun anew, and added to.
  // All GPUs of several look up as many rows as one would: each in its tables for the items of all.
  void add_bags(const Layer& layer, const LayerWork& work) {
    const double out = number(layer.out.c);
    const double width = number(layer.row_elements());
    const bool learns = kernels_.learns();
    const bool sums = layer.table_update == TableUpdate::adagrad;
    constexpr double asked_bytes = 2;  // without learning: of 16 bits, in which most answer
    const double rows =
        rows_from_memory(layer, learns ? sizeof(float) * (sums ? 2.0 : 1.0) : asked_bytes);
    kernels_.add({.elements_per_item = out,
                  .rows_per_item = rows,
                  .row_elements = width,
                  .rows_wide = learns});
    if (!learns) {
      return;
    }
    kernels_.add({.elements_per_item = out,
                  .rows_per_item = (sums ? 4 : 2) * rows,
                  .row_elements = width,
                  .rows_wide = true});
    if (!layer.updates_rows()) {
      kernels_.add({.bytes_fixed = sizeof(float) * static_cast<double>(work.parameters)});
      kernels_.update(static_cast<double>(work.parameters));
    }
  }

  void add_pass_layer(std::size_t index, const LayerWork& work) {
    const auto& layer = network_.layers[index];
    if (norms_folded_ && layer.kind == LayerKind::batch_norm) {
      return;
    }
    if (layer.kind == LayerKind::batch_norm && index < frozen_.norms_end) {
      const double elements = number(layer.out.elements());
      kernels_.both_ways(2 * elements, 2 * elements);  // scaled, and so is the gradient
      return;
    }
    const auto passes = element_passes(
        layer, static_cast<double>(work.input_elements), in_training_mode(kernels_.phase()));
    if (passes.forward > 0) {
      kernels_.both_ways(passes.forward / tensor_, passes.back / tensor_);
      kernels_.update(static_cast<double>(work.parameters));
    }
  }

  void add_layer(std::size_t index) {
    const auto& layer = network_.layers[index];
    kernels_.begin(layer, index < frozen_.end);
    const auto work = layer_work(network_, index);
    const auto& in = network_.layers[static_cast<std::size_t>(layer.inputs.at(0))].out;
    switch (layer.kind) {
      case LayerKind::convolution:
      case LayerKind::transposed_convolution:
      case LayerKind::fully_connected:
      case LayerKind::linear:
        return add_product_layer(index, work, in);
      case LayerKind::lstm:
        return add_lstm(layer, work, in);
      case LayerKind::attention:
        return add_attention(layer, work);
      case LayerKind::experts:
        return add_experts(layer, work, in);
      case LayerKind::linear_recurrence:
        return add_recurrence(layer, work, tensor_, kernels_);
      case LayerKind::embedding_bags:
        return add_bags(layer, work);
      default:
        return add_pass_layer(index, work);
    }
  }

  const Network& network_;
  GatheredKernels kernels_;
  double tensor_;         // GPUs that share each layer
  double expert_ranks_;   // ranks that divide experts
  double expert_tensor_;  // GPUs that share each expert
  bool denoises_;
  bool reads_apart_;   // by an encoder what a decoder writes of
  bool windowed_;      // some of its attention to what stands around
  bool norms_folded_;  // into the convolutions in front of them
  FrozenLayers frozen_;
  bool widens_;
  std::vector<std::vector<AdapterShape>> adapters_;  // by layer
  std::vector<double> kept_bytes_;                   // of a parameter, by layer
};

}  // namespace

GpuWork gpu_work(const Network& network,
                 Phase phase,
                 bool recompute,
                 int tensor,
                 int expert_ranks,
                 int context,
                 int expert_tensor) {
  auto work = Collector(network, phase, tensor, expert_ranks, expert_tensor).take(recompute);
  const bool fused = std::any_of(
      work.kernels.begin(), work.kernels.end(), [](const auto& kernel) { return kernel.fused; });
  const bool language = fused && !sees_windows_around(network);
  for (auto& kernel : work.kernels) {
    kernel.language = language && kernel.dense;
    const bool of_picture = is_denoiser(network) && !kernel.dense && kernel.flops_per_item > 0;
    kernel.narrow = of_picture || (kernel.language && kernel.before_head);
    share_positions(kernel, context);
  }
  const auto state = state_bytes(network, phase, Precision::bf16);
  work.accumulating = phase == Phase::train ? 3 * state.gradient / state.updated : 0;
  work.denoises = is_denoiser(network);
  work.takes_given = takes_given(network);
  work.looks_up = looks_up_tables(network);
  work.written = written_text(network);
  // Who writes, or trains without masters, has weights of 16 bits. So have programs for large
  // language models: FSDP and Megatron cast masters once an update, and the figures of
  // sharded.csv and adapters.csv are met the better so.
  work.casts = !work.written.any() && !language &&
               !(network.fused_to_infer && phase == Phase::infer) && network.state.masters;
  work.language_parameters =
      language && !work.denoises ? static_cast<double>(parameter_count(network)) : 0;
  return work;
}

}  // namespace rightsize
