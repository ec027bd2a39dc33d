#include "kernels/layer_work.h"

#include <algorithm>

#include "kernels/elementwise_work.h"
#include "kernels/recurrence_work.h"
#include "kernels/table_work.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

constexpr double batch_norm_forward_flops = 2;   // as at inference: one scale, one shift
constexpr double batch_norm_backward_flops = 7;  // two reductions, then dx = a dy + b x + c
constexpr double layer_norm_forward_flops = 8;   // mean, variance, normalise, scale, shift
constexpr double layer_norm_backward_flops = 14;
constexpr double rms_norm_forward_flops = 4;  // square, sum, normalise, scale
constexpr double rms_norm_backward_flops = 9;
constexpr double gate_flops = 3 * sigmoid_flops + 2 + 4;  // 3 sigmoids, 2 tanh, c and h of an LSTM
constexpr double rotary_flops = 3;                        // two products and a sum per element

double as_double(std::int64_t value) {
  return static_cast<double>(value);
}

const FeatureShape& input_shape(const Network& network, const Layer& layer) {
  return network.layers.at(static_cast<std::size_t>(layer.inputs.at(0))).out;
}

// As it is, or as logarithms of counts.
bool reads_network_input(const Network& network, const Layer& layer) {
  const int from = layer.inputs.at(0);
  return from == 0 ||
         network.layers.at(static_cast<std::size_t>(from)).kind == LayerKind::log_counts;
}

// Products summed into one output: (c / groups) x kh x kw, the whole input of a fully connected
// layer, the features of one position of a linear one, or of a transposed convolution, whose
// windows do not overlap.
std::int64_t fan_in(const Layer& layer, const FeatureShape& in) {
  const bool of_position =
      layer.kind == LayerKind::linear || layer.kind == LayerKind::transposed_convolution;
  return layer.kind == LayerKind::convolution
             ? in.c / layer.groups * layer.kernel_h * layer.kernel_w
             : (of_position ? in.c : in.elements());
}

// Not of a head whose matrix is the embedding's table.
bool shares_bias(const Network& network, const Layer& layer) {
  return network.layers.at(static_cast<std::size_t>(layer.tied_to)).kind == layer.kind;
}

// A data gradient is as dear as the forward pass; the network's own input needs none.
void add_products(const Network& network,
                  const Layer& layer,
                  const FeatureShape& in,
                  LayerWork& work) {
  const auto products = as_double(layer.out.elements() * fan_in(layer, in));
  const auto biases = layer.bias ? as_double(layer.out.elements()) : 0.0;
  work.forward_flops = 2 * products + biases;
  work.backward_flops = (reads_network_input(network, layer) ? 2 : 4) * products + biases;
  const bool tied = layer.tied_to >= 0;
  const bool tied_bias = tied && shares_bias(network, layer);
  const auto window = layer.kind == LayerKind::transposed_convolution
                          ? layer.kernel_h * layer.kernel_w
                          : std::int64_t{1};
  const auto weights = tied ? 0 : layer.out.c * fan_in(layer, in) * window;
  const auto learned_biases = layer.bias && !tied_bias ? layer.out.c : 0;
  work.parameters = static_cast<std::uint64_t>(weights + learned_biases);
}

void add_lstm(const Layer& layer, const FeatureShape& in, LayerWork& work) {
  const auto h = layer.hidden;
  const auto directions = layer.bidirectional ? 2 : 1;
  const auto weights = 4 * h * (in.c + h);
  const auto steps = as_double(directions * in.positions());
  work.forward_flops = steps * (2 * as_double(weights) + (4 + gate_flops) * as_double(h));
  work.backward_flops = 2 * work.forward_flops;
  work.parameters = static_cast<std::uint64_t>(directions * (weights + 4 * h));
  work.kept_elements = static_cast<std::uint64_t>(directions * in.positions() * 5 * h);
}

// He et al., "DeBERTa", ICLR 2021: scores of queries with the keys of distances, and of keys with
// their queries, from whose rows each pair of positions takes its own, are added to the words'. No
// kernel of today keeps such scores on the chip: those of all pairs are kept for the backward pass,
// as they were weighed and as they were dropped. Keys and queries of distances are made once a
// batch and left out.
void add_distances(const Layer& layer, double length, LayerWork& work) {
  const double heads = as_double(layer.heads);
  const double products = 2 * 2 * as_double(layer.distances) * as_double(layer.head_dim);
  work.forward_flops += length * heads * (products + 2 * length);
  work.kept_elements += static_cast<std::uint64_t>(2 * heads * length * length);
  const auto table = (layer.distances + 2) * layer.out.c;  // and its norm
  work.parameters = layer.tied_to < 0 ? static_cast<std::uint64_t>(table) : 0;
}

void add_attention(const Layer& layer, LayerWork& work) {
  const auto length = as_double(layer.out.positions());
  const auto rotated = as_double((layer.heads + layer.kv_heads) * layer.head_dim);
  const double rotary = layer.rotary_base > 0 ? rotary_flops * rotated : 0;
  work.forward_flops =
      length * (attention_flops(layer, mean_seen(layer, layer.out.positions())) + rotary);
  work.kept_elements = static_cast<std::uint64_t>(layer.heads * layer.out.positions());
  if (layer.distances > 0) {
    add_distances(layer, length, work);
  }
  // Gradients of both factors of both products: four products for two.
  work.backward_flops = 2 * work.forward_flops;
}

// Three matrices of each expert, or two, and those a position takes; the scores' softmax, the
// weighted sum.
void add_experts(const Layer& layer, const FeatureShape& in, LayerWork& work) {
  const auto weights = (layer.gated ? 3 : 2) * in.c * layer.hidden;
  const double bent = layer.gated ? sigmoid_flops + 2 : 2;
  const double taken = as_double(layer.out.positions() * layer.experts_per_token);
  const double gated = as_double(layer.hidden);
  const double summed = 2 * as_double(layer.out.c);
  const double scored = softmax_flops * as_double(layer.out.positions() * layer.experts);
  work.forward_flops = taken * (2 * as_double(weights) + bent * gated + summed) + scored;
  work.backward_flops =
      taken * (4 * as_double(weights) + (bent + (layer.gated ? 6 : 1)) * gated + 2 * summed) +
      scored;
  work.parameters = static_cast<std::uint64_t>(layer.experts * weights);
  // Gate and what it lets through, their product, and what each expert made.
  work.kept_elements =
      static_cast<std::uint64_t>(layer.out.positions() * layer.experts_per_token *
                                 ((layer.gated ? 3 : 2) * layer.hidden + layer.out.c));
}

void add_norm(const Layer& layer, LayerWork& work) {
  const auto out = as_double(layer.out.elements());
  const auto c = static_cast<std::uint64_t>(layer.out.c);
  if (layer.kind == LayerKind::batch_norm) {
    work.parameters = 2 * c;
    work.forward_flops = batch_norm_forward_flops * out;
    work.backward_flops = batch_norm_backward_flops * out;
  } else if (layer.kind == LayerKind::rms_norm) {
    const auto heads = static_cast<std::uint64_t>(std::max<std::int64_t>(1, layer.heads));
    work.parameters = layer.affine ? c / heads : 0;
    work.forward_flops = rms_norm_forward_flops * out;
    work.backward_flops = rms_norm_backward_flops * out;
  } else {
    work.parameters = layer.affine && layer.tied_to < 0 ? 2 * c : 0;
    work.forward_flops = layer_norm_forward_flops * out;
    work.backward_flops = layer_norm_backward_flops * out;
  }
}

void add_embedding(const Layer& layer, LayerWork& work) {
  work.parameters =
      layer.tied_to < 0 ? static_cast<std::uint64_t>(layer.vocabulary * layer.out.c) : 0;
  work.backward_flops = as_double(layer.out.elements());  // rows are added up
}

void add_position_embedding(const Layer& layer, LayerWork& work) {
  work.parameters = static_cast<std::uint64_t>((layer.vocabulary + layer.segments) * layer.out.c);
  work.forward_flops = as_double(layer.out.elements()) * (layer.segments > 0 ? 2 : 1);
  work.backward_flops = work.forward_flops;
}

void add_class_token(const Layer& layer, LayerWork& work) {
  work.parameters = static_cast<std::uint64_t>(layer.out.c);
  work.backward_flops = as_double(layer.out.c);
}

// By the kind of the layer; a new one is named here, or the compiler says so.
void add_work(const Network& network, const Layer& layer, LayerWork& work) {
  switch (layer.kind) {
    case LayerKind::convolution:
    case LayerKind::transposed_convolution:
    case LayerKind::fully_connected:
    case LayerKind::linear:
      return add_products(network, layer, input_shape(network, layer), work);
    case LayerKind::batch_norm:
    case LayerKind::layer_norm:
    case LayerKind::rms_norm:
    case LayerKind::group_norm:
      return add_norm(layer, work);
    case LayerKind::embedding:
      return add_embedding(layer, work);
    case LayerKind::position_embedding:
      return add_position_embedding(layer, work);
    case LayerKind::class_token:
      return add_class_token(layer, work);
    case LayerKind::lstm:
      return add_lstm(layer, input_shape(network, layer), work);
    case LayerKind::attention:
      return add_attention(layer, work);
    case LayerKind::experts:
      return add_experts(layer, input_shape(network, layer), work);
    case LayerKind::linear_recurrence:
      return add_recurrence(layer, work);
    case LayerKind::embedding_bags:
      return add_bags(layer, work);
    case LayerKind::pairwise_dots:
      return add_pairwise_dots(input_shape(network, layer), work);
    case LayerKind::relu:
    case LayerKind::dropout:
    case LayerKind::max_pool:
    case LayerKind::average_pool:
    case LayerKind::global_average_pool:
    case LayerKind::local_response_norm:
    case LayerKind::add:
    case LayerKind::activation:
    case LayerKind::multiply:
    case LayerKind::gated_silu:
    case LayerKind::gated_gelu:
    case LayerKind::upsample:
    case LayerKind::expected_bin:
    case LayerKind::detection_loss:
    case LayerKind::squared_error:
    case LayerKind::log_counts:
    case LayerKind::softmax_loss:
      return add_elementwise(layer, work);
    case LayerKind::input:
    case LayerKind::concat:
    case LayerKind::take_channels:
    case LayerKind::shuffle_channels:
    case LayerKind::to_sequence:
    case LayerKind::to_image:
    case LayerKind::take_position:
    case LayerKind::take_positions:
    case LayerKind::join_positions:
    case LayerKind::one_hot:
    case LayerKind::given:
      return;  // only moves data
  }
}

}  // namespace

double mean_seen(const Layer& layer, std::int64_t length) {
  if (!layer.causal && layer.window == 0) {
    return as_double(layer.most_seen(length));
  }
  if (!layer.causal) {  // at either end half the window is missing, then less by one and one
    const double half = as_double(std::min(layer.window / 2, length - 1));
    return 2 * half + 1 - half * (half + 1) / as_double(length);
  }
  const double most = as_double(layer.most_seen(length));
  return most - most * (most - 1) / 2 / as_double(length);
}

double attention_flops(const Layer& layer, double seen) {
  const auto scored = layer.head_dim + layer.rotary_dim;
  const auto summed = layer.latent > 0 ? layer.value_dim : layer.head_dim;
  return as_double(layer.heads) * seen * (2 * as_double(scored + summed) + softmax_flops);
}

double cached_attention_flops(const Layer& layer, double seen) {
  if (layer.latent == 0) {
    return attention_flops(layer, seen);
  }
  const auto scored = layer.latent + layer.rotary_dim;
  return as_double(layer.heads) * seen * (2 * as_double(scored + layer.latent) + softmax_flops);
}

LayerWork layer_work(const Network& network, std::size_t index) {
  const auto& layer = network.layers.at(index);
  LayerWork work;
  work.output_elements = static_cast<std::uint64_t>(layer.out.elements());
  for (const int input : layer.inputs) {
    work.input_elements += static_cast<std::uint64_t>(
        network.layers.at(static_cast<std::size_t>(input)).out.elements());
  }
  add_work(network, layer, work);
  if (network.adapters.any() && layer.kind == LayerKind::linear) {
    work.backward_flops = work.forward_flops;  // frozen: the data's gradient alone
  }
  if (network.adapters.any() && layer.kind == LayerKind::experts) {
    work.backward_flops -= work.forward_flops;  // nor do experts learn, whose gates still bend
  }
  return work;
}

}  // namespace rightsize
