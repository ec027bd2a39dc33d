#include "kernels/elementwise_work.h"

#include <cassert>

namespace rightsize {
namespace {

constexpr double squared_error_flops = 3;  // subtract, square, add up
constexpr double interpolation_flops = 9;  // three times between two

double as_double(std::int64_t value) {
  return static_cast<double>(value);
}

double flops_of(Activation function) {
  switch (function) {
    case Activation::relu6:
      return 2;
    case Activation::sigmoid:
      return sigmoid_flops;
    case Activation::tanh:
      return 1;
    case Activation::gelu:
      return 5;
    case Activation::gelu_tanh:
      return 8;
    case Activation::silu:
      return sigmoid_flops + 1;
    case Activation::hard_sigmoid:
      return 4;
    case Activation::hard_swish:
      return 5;
    case Activation::leaky_relu:
      return 2;
    case Activation::elu:
      return 4;
    case Activation::squared_relu:
      return 2;
  }
  return 1;
}

}  // namespace

void add_elementwise(const Layer& layer, LayerWork& work) {
  const auto out = as_double(layer.out.elements());
  const auto window = as_double(layer.kernel_h * layer.kernel_w);
  const auto read = static_cast<double>(work.input_elements);
  const auto set = [&](double forward, double backward) {
    work.forward_flops = forward;
    work.backward_flops = backward;
  };
  switch (layer.kind) {
    case LayerKind::relu:
    case LayerKind::dropout:
      return set(out, out);
    case LayerKind::max_pool:
      return set(window * out, out);
    case LayerKind::average_pool:
      return set(window * out, window * out);
    case LayerKind::global_average_pool:
      return set(read, read);
    case LayerKind::local_response_norm: {
      const auto window_sum = 2.0 * as_double(layer.lrn_size);
      return set((window_sum + 4) * out, (2 * window_sum + 6) * out);
    }
    case LayerKind::add:
      return set(static_cast<double>(layer.inputs.size() - 1) * out, 0);  // dy goes to all inputs
    case LayerKind::activation:
      return set(flops_of(layer.activation) * out, (flops_of(layer.activation) + 2) * out);
    case LayerKind::multiply:
      return set(out, 2 * out);
    case LayerKind::gated_silu:
      return set((sigmoid_flops + 2) * out, (sigmoid_flops + 8) * out);
    case LayerKind::gated_gelu: {
      const double gelu = flops_of(Activation::gelu);
      return set((gelu + 1) * out, (gelu + 6) * out);
    }
    case LayerKind::upsample:
      return layer.interpolates ? set(interpolation_flops * out, interpolation_flops * out)
                                : set(0, 0);
    case LayerKind::expected_bin: {
      const auto distributed = as_double(layer.groups * layer.bins * layer.out.positions());
      work.parameters = static_cast<std::uint64_t>(layer.bins);  // fixed, and counted as published
      return set((softmax_flops + 2) * distributed, 4 * distributed);
    }
    case LayerKind::detection_loss:
      return set(layer.scoring == Scoring::softmax ? softmax_flops * out : sigmoid_flops * out,
                 2 * out);
    case LayerKind::squared_error:
      return set(squared_error_flops * out, 2 * out);
    case LayerKind::log_counts:
      return set(2 * out, 0);
    case LayerKind::softmax_loss:
      return set(softmax_flops * out, out);
    default:
      assert(false);  // layer_work.cpp names those that come here
  }
}

}  // namespace rightsize
