#include "kernels/work.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace rightsize {
namespace {

// Floating-point operations per output element of the layers that are limited by memory traffic.
// They are below 2 % of any built-in network; counted so that no layer is free.
constexpr double softmax_flops = 5;              // max, subtract, exp, sum, divide
constexpr double batch_norm_forward_flops = 2;   // as at inference: one scale, one shift
constexpr double batch_norm_backward_flops = 7;  // two reductions, then dx = a dy + b x + c

const FeatureShape& input_shape(const Network& network, const Layer& layer) {
  return network.layers.at(static_cast<std::size_t>(layer.inputs.at(0))).out;
}

std::uint64_t elements(const FeatureShape& shape) {
  return static_cast<std::uint64_t>(shape.elements());
}

// Products summed into one output: (c / groups) x kh x kw, or the whole input of a linear layer.
std::int64_t fan_in(const Layer& layer, const FeatureShape& in) {
  return layer.kind == LayerKind::convolution
             ? in.c / layer.groups * layer.kernel_h * layer.kernel_w
             : in.elements();
}

// A data gradient is as dear as the forward pass; the network's own input needs none.
void add_linear_work(const Layer& layer, const FeatureShape& in, LayerWork& work) {
  const auto products = static_cast<double>(layer.out.elements() * fan_in(layer, in));
  const auto biases = layer.bias ? static_cast<double>(layer.out.elements()) : 0.0;
  const bool reads_network_input = layer.inputs.at(0) == 0;
  work.forward_flops = 2 * products + biases;
  work.backward_flops = (reads_network_input ? 2 : 4) * products + biases;
  work.parameters =
      static_cast<std::uint64_t>(layer.out.c * fan_in(layer, in) + (layer.bias ? layer.out.c : 0));
}

void add_elementwise_work(const Layer& layer, LayerWork& work) {
  const auto out = static_cast<double>(layer.out.elements());
  const auto window = static_cast<double>(layer.kernel_h * layer.kernel_w);
  const auto read = static_cast<double>(work.input_elements);
  const auto set = [&](double forward, double backward) {
    work.forward_flops = forward;
    work.backward_flops = backward;
  };
  switch (layer.kind) {
    case LayerKind::batch_norm:
      work.parameters = 2 * static_cast<std::uint64_t>(layer.out.c);
      return set(batch_norm_forward_flops * out, batch_norm_backward_flops * out);
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
      const auto window_sum = 2.0 * static_cast<double>(layer.lrn_size);
      return set((window_sum + 4) * out, (2 * window_sum + 6) * out);
    }
    case LayerKind::add:
      return set(static_cast<double>(layer.inputs.size() - 1) * out, 0);  // dy goes to all inputs
    case LayerKind::softmax_loss:
      return set(softmax_flops * out, out);
    case LayerKind::input:
    case LayerKind::convolution:
    case LayerKind::fully_connected:
      return;
  }
}

// ReLU works in place and an input is the caller's; every other output waits for the backward pass.
bool owns_activation(const Layer& layer) {
  return layer.kind != LayerKind::input && layer.kind != LayerKind::relu;
}

// Largest pair of outputs alive together when nothing is kept: a layer's input and its output.
std::uint64_t two_largest_activations(const Network& network) {
  std::vector<std::uint64_t> sizes{0, 0};
  for (const auto& layer : network.layers) {
    if (owns_activation(layer)) {
      sizes.push_back(elements(layer.out));
    }
  }
  std::partial_sort(sizes.begin(), sizes.begin() + 2, sizes.end(), std::greater<>());
  return sizes[0] + sizes[1];
}

}  // namespace

LayerWork layer_work(const Network& network, std::size_t index) {
  const auto& layer = network.layers.at(index);
  LayerWork work;
  work.output_elements = elements(layer.out);
  for (const int input : layer.inputs) {
    work.input_elements += elements(network.layers.at(static_cast<std::size_t>(input)).out);
  }
  if (layer.kind == LayerKind::convolution || layer.kind == LayerKind::fully_connected) {
    add_linear_work(layer, input_shape(network, layer), work);
  } else {
    add_elementwise_work(layer, work);
  }
  return work;
}

std::uint64_t parameter_count(const Network& network) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    sum += layer_work(network, i).parameters;
  }
  return sum;
}

double forward_flops(const Network& network) {
  double sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    sum += layer_work(network, i).forward_flops;
  }
  return sum;
}

double training_flops(const Network& network) {
  double sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto work = layer_work(network, i);
    sum += work.forward_flops + work.backward_flops;
  }
  return sum;
}

int bytes_per_element(Precision precision) {
  return precision == Precision::fp16 || precision == Precision::bf16 ? 2 : 4;
}

std::uint64_t device_memory_bytes(const Network& network,
                                  Phase phase,
                                  Precision precision,
                                  int batch) {
  if (phase == Phase::preprocess) {
    return 0;  // runs on the host alone
  }
  const auto element = static_cast<std::uint64_t>(bytes_per_element(precision));
  const auto parameters = parameter_count(network);
  const auto items = static_cast<std::uint64_t>(batch);
  const auto in_flight = elements(network.input) + two_largest_activations(network);
  if (phase == Phase::infer) {
    return parameters * element + items * in_flight * element;
  }
  // FP32 master, gradient and momentum, and the copy the kernels read where that is narrower.
  const auto per_parameter = 3 * sizeof(float) + (element < sizeof(float) ? element : 0);
  return parameters * per_parameter + items * (activation_elements(network) + in_flight) * element;
}

std::uint64_t activation_elements(const Network& network) {
  std::uint64_t sum = 0;
  for (const auto& layer : network.layers) {
    sum += owns_activation(layer) ? elements(layer.out) : 0;
  }
  return sum;
}

}  // namespace rightsize
