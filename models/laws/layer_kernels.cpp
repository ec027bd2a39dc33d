#include "models/laws/layer_kernels.h"

#include <algorithm>
#include <cstddef>

namespace rightsize {
namespace {

double number(std::int64_t value) {
  return static_cast<double>(value);
}

const Layer& input_of(const Network& network, const Layer& layer) {
  return network.layers[static_cast<std::size_t>(layer.inputs.at(0))];
}

// Whether a layer works on heads or hidden features, of which each GPU has a part.
bool splits(const Layer& layer) {
  return layer.kind == LayerKind::attention || layer.kind == LayerKind::linear_recurrence ||
         layer.kind == LayerKind::gated_silu || layer.kind == LayerKind::activation ||
         layer.kind == LayerKind::relu;
}

bool is_linear_before_head(const Network& network, std::size_t index) {
  const auto linear = [](const Layer& layer) { return layer.kind == LayerKind::linear; };
  const auto layer = network.layers.begin() + static_cast<std::ptrdiff_t>(index);
  return linear(*layer) && std::any_of(layer + 1, network.layers.end(), linear);
}

}  // namespace

bool splits_input(const Network& network, std::size_t index) {
  return splits(input_of(network, network.layers[index]));
}

GpuKernel product_kernel(const Network& network, std::size_t index, double tensor) {
  const auto& layer = network.layers[index];
  const auto& before = input_of(network, layer);
  const auto& in = before.out;
  const bool convolution = layer.kind == LayerKind::convolution;
  // Its windows lie apart: a matrix makes all of a position's at once.
  const bool transposed = layer.kind == LayerKind::transposed_convolution;
  const bool by_position = layer.kind == LayerKind::linear || transposed;
  const double windows = transposed ? number(layer.kernel_h * layer.kernel_w) : 1;
  GpuKernel kernel;
  kernel.groups = convolution ? number(layer.groups) : 1;
  kernel.rows =
      layer.kind == LayerKind::fully_connected ? 1 : number(layer.out.positions()) / windows;
  kernel.columns = number(layer.out.c) * windows / kernel.groups;
  kernel.inner = convolution   ? number(in.c * layer.kernel_h * layer.kernel_w) / kernel.groups
                 : by_position ? number(in.c)
                               : number(in.elements());
  kernel.flops_per_item = 2 * kernel.rows * kernel.columns * kernel.inner * kernel.groups;
  kernel.dense = !convolution;
  kernel.before_head = is_linear_before_head(network, index);
  double in_elements = number(in.elements());
  double out_elements = number(layer.out.elements());
  if (layer.kind == LayerKind::linear && tensor > 1) {
    const bool split_input = splits(before);
    (split_input ? kernel.inner : kernel.columns) /= tensor;
    (split_input ? in_elements : out_elements) /= tensor;
    kernel.flops_per_item /= tensor;
  }
  const bool tiled = convolution && layer.groups == 1 && layer.kernel_h == layer.kernel_w &&
                     layer.stride_h == 1 && (layer.kernel_h == 3 || layer.kernel_h == 5);
  kernel.tile = tiled ? static_cast<int>(layer.kernel_h) : 0;
  kernel.oblong = convolution && layer.kernel_h != layer.kernel_w;
  kernel.elements_per_item = in_elements + out_elements;
  kernel.elements_fixed = kernel.columns * kernel.inner * kernel.groups;
  return kernel;
}

bool has_biased_window(const Layer& layer) {
  return layer.window > 0 && !layer.causal && layer.rotary_base == 0;
}

GpuKernel attention_kernel(const Layer& layer, const LayerWork& work, double tensor, bool fused) {
  const double heads = number(layer.heads) / tensor;
  const double length = number(layer.out.positions());
  GpuKernel kernel;
  kernel.dense = true;
  kernel.groups = heads;
  kernel.rows = length;
  kernel.columns = number(layer.head_dim);
  kernel.inner = number(layer.most_seen(layer.out.positions()));
  kernel.flops_per_item = work.forward_flops / tensor;
  kernel.elements_per_item =
      (static_cast<double>(work.input_elements) + number(layer.out.elements())) / tensor;
  kernel.fused = fused;
  // Scores of queries and of keys with all distances are written and read once each, as often as
  // words' scores half; gathered for each pair and added up they pass as those do. By the kernels
  // of transformers' code; assumed, not fitted.
  const double scored =
      layer.distances > 0 ? 3 * kernel.inner + number(layer.distances) : kernel.inner;
  kernel.scores_per_item = kernel.fused ? 0 : heads * kernel.rows * scored;
  return kernel;
}

std::array<GpuKernel, 2> expert_kernels(const Layer& layer,
                                        const FeatureShape& in,
                                        double tensor,
                                        double expert_ranks,
                                        double expert_tensor) {
  const double taken =
      number(layer.out.positions() * layer.experts_per_token) * expert_tensor / tensor;
  const double experts = number(layer.experts) / expert_ranks;  // whose tokens come from all
  const double hidden = number(layer.hidden) / expert_tensor;
  const auto product = [&](double inner, double columns) {
    return GpuKernel{.flops_per_item = 2 * taken * inner * columns,
                     .rows = taken / experts,
                     .columns = columns,
                     .inner = inner,
                     .groups = experts,
                     .dense = true,
                     .before_head = true,
                     .elements_per_item = taken * (inner + columns),
                     .elements_fixed = experts * inner * columns};
  };
  return {product(number(in.c), (layer.gated ? 2 : 1) * hidden),
          product(hidden, number(layer.out.c))};
}

ElementPasses biased_score_passes(const Layer& layer) {
  const double scores = number(layer.heads * layer.out.positions() * layer.window);
  return {10 * scores, 12 * scores};
}

ElementPasses element_passes(const Layer& layer, double in, bool training) {
  const double out = number(layer.out.elements());
  switch (layer.kind) {
    case LayerKind::input:
    case LayerKind::to_sequence:
    case LayerKind::to_image:
    case LayerKind::take_position:
    case LayerKind::class_token:
    case LayerKind::given:
      return {};
    case LayerKind::batch_norm:
      return {training ? in + in + out : in + out, 5 * out};
    case LayerKind::group_norm:
      return {in + in + out, 5 * out};
    case LayerKind::layer_norm:
    case LayerKind::rms_norm:
      return {in + out, 4 * out};
    case LayerKind::embedding:
    case LayerKind::position_embedding:
      return {2 * out, 2 * out};
    case LayerKind::dropout:
      return training ? ElementPasses{in + out, in + out} : ElementPasses{};
    case LayerKind::add:
      return {in + out, 3 * out};  // gradients are handed on, added up where branches meet
    case LayerKind::log_counts:
      return {2 * out, 0};
    case LayerKind::pairwise_dots:
      return {in + out, 2 * in + out};  // products of few columns, a kernel of their own
    case LayerKind::local_response_norm:
      return {2 * (in + out), 3 * (in + out)};
    case LayerKind::take_channels:
    case LayerKind::take_positions:
    case LayerKind::shuffle_channels:
      return {2 * out, in + out};
    default:
      return {in + out, in + 2 * out};
  }
}

double rows_from_memory(const Layer& layer, double bytes_per_element) {
  constexpr double cached_bytes = 4 << 20;  // assumed: of a second-level cache, for all of them
  auto tables = layer.tables;
  std::stable_sort(tables.begin(), tables.end(), [](const auto& a, const auto& b) {
    return a.rows * b.ids < b.rows * a.ids;  // whose rows are read again the soonest
  });
  double left = cached_bytes;
  double rows = 0;
  for (const auto& table : tables) {
    const double bytes = number(table.rows * layer.row_elements()) * bytes_per_element;
    const double cached = std::min(left, bytes);
    left -= cached;
    rows += number(table.ids) * (1 - cached / bytes);
  }
  return rows;
}

std::vector<double> adapter_passes(const AdapterShape& shape, double rows, bool backward) {
  // Passes over large tensors reach more of the bandwidth than those of the networks that the law
  // was fitted to: set to calibration/adapters.csv.
  constexpr double large = 0.6;
  const double out = large * rows * number(shape.out);
  std::vector<double> passes{2 * out, 3 * out};
  if (backward) {
    passes.push_back(2 * out);
    passes.push_back(3 * large * rows * number(shape.in));
  }
  return passes;
}

void share_positions(GpuKernel& kernel, double gpus) {
  kernel.flops_per_item /= gpus;
  kernel.elements_per_item /= gpus;
  kernel.scores_per_item /= gpus;
  (kernel.sums_batch ? kernel.inner : kernel.rows) /= gpus;
}

}  // namespace rightsize
