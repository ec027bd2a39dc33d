#include "kernels/work.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "kernels/adapter_work.h"
#include "kernels/layer_work.h"

namespace rightsize {
namespace {

std::uint64_t elements(const FeatureShape& shape) {
  return static_cast<std::uint64_t>(shape.elements());
}

// These work in place: their derivative can be told from what they leave there.
bool works_in_place(const Layer& layer) {
  return layer.kind == LayerKind::relu ||
         (layer.kind == LayerKind::activation && layer.activation == Activation::relu6);
}

// A sequence is another view of its image, or that of it, and an input is the caller's.
bool owns_activation(const Layer& layer) {
  return layer.kind != LayerKind::input && layer.kind != LayerKind::to_sequence &&
         layer.kind != LayerKind::to_image && !works_in_place(layer);
}

// Whether the backward pass of a layer reads what it was given (ReLU: what it left in that place).
// Sums and averages pass gradients on without looking; dropout makes its mask again.
bool reads_input_backward(LayerKind kind) {
  switch (kind) {
    case LayerKind::convolution:
    case LayerKind::fully_connected:
    case LayerKind::batch_norm:
    case LayerKind::relu:
    case LayerKind::max_pool:
    case LayerKind::local_response_norm:
    case LayerKind::softmax_loss:
    case LayerKind::activation:
    case LayerKind::multiply:
    case LayerKind::linear:
    case LayerKind::layer_norm:
    case LayerKind::rms_norm:
    case LayerKind::attention:
    case LayerKind::gated_silu:
    case LayerKind::experts:
    case LayerKind::lstm:
      return true;
    case LayerKind::input:
    case LayerKind::average_pool:
    case LayerKind::global_average_pool:
    case LayerKind::dropout:
    case LayerKind::add:
    case LayerKind::concat:
    case LayerKind::take_channels:
    case LayerKind::shuffle_channels:
    case LayerKind::to_sequence:
    case LayerKind::to_image:
    case LayerKind::take_position:
    case LayerKind::class_token:
    case LayerKind::embedding:
    case LayerKind::one_hot:
    case LayerKind::position_embedding:
      return false;
  }
  return true;
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

std::uint64_t parameter_count(const Network& network) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    sum += layer_work(network, i).parameters;
  }
  return sum;
}

std::uint64_t active_parameter_count(const Network& network) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    const auto count = layer_work(network, i).parameters;
    sum += layer.kind == LayerKind::experts
               ? count / static_cast<std::uint64_t>(layer.experts) *
                     static_cast<std::uint64_t>(layer.experts_per_token)
               : count;
  }
  return sum;
}

bool has_experts(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.kind == LayerKind::experts;
  });
}

bool has_latents(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.latent > 0;
  });
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

std::uint64_t kv_cache_elements(const Network& network) {
  std::uint64_t sum = 0;
  for (const auto& layer : network.layers) {
    if (layer.kind == LayerKind::attention) {
      sum += static_cast<std::uint64_t>(layer.cached_features() *
                                        layer.most_seen(layer.out.positions()));
    }
  }
  return sum;
}

namespace {

// Of one position, whose attention in a layer is attention(layer).
template <typename Attention>
double position_flops(const Network& network, Attention attention) {
  double sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    sum += layer.kind == LayerKind::attention
               ? attention(layer)
               : layer_work(network, i).forward_flops / static_cast<double>(layer.out.positions());
  }
  return sum;
}

}  // namespace

double decode_flops(const Network& network, std::int64_t context) {
  return position_flops(network, [&](const Layer& layer) {
    return cached_attention_flops(layer, static_cast<double>(layer.most_seen(context + 1)));
  });
}

double prompt_flops(const Network& network, std::int64_t tokens) {
  const double each = position_flops(network, [&](const Layer& layer) {
    return attention_flops(layer, mean_seen(layer, tokens));
  });
  return static_cast<double>(tokens) * each;
}

StateBytes state_bytes(const Network& network, Phase phase, Precision precision) {
  return state_bytes(network.state, network.optimizer, phase, precision);
}

std::uint64_t parameter_memory_bytes(const Network& network, Phase phase, Precision precision) {
  const auto count = parameter_count(network);
  if (!has_backward(phase)) {
    return count * static_cast<std::uint64_t>(bytes_per_element(precision));
  }
  if (network.adapters.any()) {
    return adapted_parameter_bytes(network, phase, precision);
  }
  const auto each = state_bytes(network, phase, precision);
  return static_cast<std::uint64_t>(static_cast<double>(count) * (each.kept() + each.copy));
}

std::uint64_t in_flight_elements(const Network& network) {
  return elements(network.input) + two_largest_activations(network);
}

std::uint64_t device_memory_bytes(const Network& network,
                                  Phase phase,
                                  Precision precision,
                                  int batch) {
  if (phase == Phase::preprocess) {
    return 0;  // runs on the host alone
  }
  const auto element = static_cast<std::uint64_t>(bytes_per_element(precision));
  const auto parameters = parameter_memory_bytes(network, phase, precision);
  const auto items = static_cast<std::uint64_t>(batch);
  const auto in_flight = in_flight_elements(network);
  if (phase == Phase::decode) {
    const auto length = static_cast<std::uint64_t>(network.input.positions());
    return parameters + items * (kv_cache_elements(network) + in_flight / length) * element;
  }
  const auto kept = has_backward(phase) ? activation_elements(network) : 0;
  return parameters + items * (kept + in_flight) * element;
}

std::vector<std::uint64_t> activation_elements_by_layer(const Network& network) {
  const auto adapters = adapter_shapes(network);
  std::vector<bool> needed(network.layers.size(), false);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    // Only the gradient of a matrix reads what it was multiplied with.
    const bool frozen =
        network.adapters.any() && layer.kind == LayerKind::linear && adapters[i].empty();
    for (const int input : layer.inputs) {
      const auto index = static_cast<std::size_t>(input);
      needed[index] = needed[index] || (!frozen && reads_input_backward(layer.kind));
    }
  }
  std::vector<std::uint64_t> kept(network.layers.size(), 0);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    const auto between = adapters[i].size() * static_cast<std::size_t>(network.adapters.rank) *
                         static_cast<std::size_t>(layer.out.positions());
    kept[i] = layer_work(network, i).kept_elements + between +
              (needed[i] && owns_activation(layer) ? elements(layer.out) : 0);
  }
  return kept;
}

std::uint64_t activation_elements(const Network& network) {
  const auto kept = activation_elements_by_layer(network);
  return std::accumulate(kept.begin(), kept.end(), std::uint64_t{0});
}

}  // namespace rightsize
