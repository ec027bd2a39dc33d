#include "kernels/work.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "kernels/adapter_work.h"
#include "kernels/alive_elements.h"
#include "kernels/layer_work.h"
#include "kernels/quantized_weights.h"
#include "kernels/recurrence_work.h"

namespace rightsize {
namespace {

std::uint64_t elements(const FeatureShape& shape) {
  return static_cast<std::uint64_t>(shape.elements());
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
    case LayerKind::gated_gelu:
    case LayerKind::group_norm:
    case LayerKind::squared_error:
    case LayerKind::transposed_convolution:
    case LayerKind::expected_bin:
    case LayerKind::detection_loss:
    case LayerKind::experts:
    case LayerKind::linear_recurrence:
    case LayerKind::lstm:
    case LayerKind::pairwise_dots:
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
    case LayerKind::given:
    case LayerKind::upsample:
    case LayerKind::join_positions:
    case LayerKind::take_positions:
    case LayerKind::log_counts:
    case LayerKind::embedding_bags:
      return false;
  }
  return true;
}

// Largest pair of outputs alive together when nothing is kept: a layer's input and its output.
std::uint64_t two_largest_activations(const Network& network) {
  std::vector<std::uint64_t> sizes{0, 0};
  for (const auto& layer : network.layers) {
    if (owns_activation(layer)) {
      sizes.push_back(elements(layer.out) * static_cast<std::uint64_t>(layer.copies));
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

bool is_denoiser(const Network& network) {
  return !network.layers.empty() && network.layers.back().kind == LayerKind::squared_error;
}

bool makes_pictures(const Network& network) {
  return is_denoiser(network) && network.reads_tokens();
}

bool reads_pictures(const Network& network) {
  return !is_denoiser(network) && network.input_kind == InputKind::image;
}

bool takes_given(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.kind == LayerKind::given;
  });
}

bool labels_positions(const Network& network) {
  return reads_pictures(network) && !network.layers.empty() && network.labels_per_item() > 1;
}

bool finds_objects(const Network& network) {
  return !network.layers.empty() && network.layers.back().kind == LayerKind::detection_loss;
}

bool writes_text(const Network& network) {
  return !is_denoiser(network) && std::any_of(network.layers.begin(),
                                              network.layers.end(),
                                              [](const Layer& layer) { return layer.passes > 1; });
}

bool has_latents(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.latent > 0;
  });
}

bool shares_layers(const Network& network) {
  const auto shares = [&](const Layer& layer) {
    return layer.tied_to >= 0 &&
           (layer.kind == LayerKind::linear || layer.kind == LayerKind::layer_norm) &&
           network.layers[static_cast<std::size_t>(layer.tied_to)].kind == layer.kind;
  };
  return std::any_of(network.layers.begin(), network.layers.end(), shares);
}

double times_passed(const Layer& layer) {
  return static_cast<double>(layer.passes * layer.copies);
}

double forward_flops(const Network& network) {
  double sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    sum += times_passed(network.layers[i]) * layer_work(network, i).forward_flops;
  }
  return sum;
}

double training_flops(const Network& network) {
  double sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto work = layer_work(network, i);
    sum += times_passed(network.layers[i]) * (work.forward_flops + work.backward_flops);
  }
  return sum;
}

StateBytes state_bytes(const Network& network, Phase phase, Precision precision) {
  return state_bytes(network.state, network.optimizer, phase, precision);
}

std::uint64_t parameter_memory_bytes(const Network& network, Phase phase, Precision precision) {
  if (!has_backward(phase)) {
    const auto each = kept_bytes_per_parameter(network, precision);
    double sum = 0;
    for (std::size_t i = 0; i < each.size(); ++i) {
      sum += each[i] * static_cast<double>(layer_work(network, i).parameters);
    }
    return static_cast<std::uint64_t>(sum);
  }
  if (network.adapters.any()) {
    return adapted_parameter_bytes(network, phase, precision);
  }
  const auto each = state_bytes(network, phase, precision);
  const auto others = parameter_count(network) - row_table_parameters(network);
  return static_cast<std::uint64_t>(static_cast<double>(others) * (each.kept() + each.copy)) +
         row_table_bytes(network, phase, precision);
}

// The long connections of a U-Net lie there beside what its layers hand on, and so do the levels
// that a detector's heads read, and the keys and values that a decoder does.
std::uint64_t in_flight_elements(const Network& network) {
  return elements(network.input) + (takes_given(network) || labels_positions(network)
                                        ? most_alive(network, 0, first_of_decoder(network))
                                        : two_largest_activations(network));
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
    const auto states =
        static_cast<std::uint64_t>(kept_state_bytes(network, bytes_per_element(precision)));
    return parameters + items * (kv_cache_elements(network) + in_flight / length) * element +
           items * states;
  }
  const auto kept = has_backward(phase) ? activation_elements(network) : 0;
  const auto pixels = makes_pictures(network) && batch > 0
                          ? most_alive(network, first_of_decoder(network), network.layers.size())
                          : 0;
  return parameters + std::max(items * (kept + in_flight), pixels) * element;
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
