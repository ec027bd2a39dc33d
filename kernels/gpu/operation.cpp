#include "kernels/gpu/operation.h"

#include <cmath>

#include <fmt/format.h>

#include "kernels/engine.h"

namespace rightsize::gpu {
namespace {

float deviation(double gain, std::int64_t fan_in) {
  return std::sqrt(static_cast<float>(gain) / static_cast<float>(fan_in));
}

// He et al., ICCV 2015: noise of variance 2 / fan-in keeps the signal's size through ReLUs; what
// max pools added to it is taken back.
void add_convolution(Parameters& parameters, const Layer& layer, const ParameterContext& context) {
  const auto c = context.in.c / layer.groups;
  const auto area = layer.kernel_h * layer.kernel_w;
  parameters.add(layer.name + ".weights",
                 {layer.out.c, c, area},
                 {0, deviation(2 / context.pooled_growth, c * area)},
                 Role::weights);
  if (layer.bias) {
    parameters.add(layer.name + ".bias", {layer.out.c, 1, 1}, {}, Role::bias);
  }
}

// A classifier has no ReLU to make up for (LeCun et al., 1998).
void add_fully_connected(Parameters& parameters,
                         const Layer& layer,
                         const ParameterContext& context) {
  const auto& in = context.in;
  const double gain = (context.relu ? 2 : 1) / context.pooled_growth;
  parameters.add(layer.name + ".weights",
                 {layer.out.c, in.c, in.h * in.w},
                 {0, deviation(gain, in.elements())},
                 Role::weights);
  parameters.add(layer.name + ".bias", {layer.out.c, 1, 1}, {}, Role::bias);
}

void add_batch_norm(Parameters& parameters, const Layer& layer) {
  const FilterShape channels{layer.out.c, 1, 1};
  parameters.add(layer.name + ".scale", channels, {1, 0}, Role::vector);
  parameters.add(layer.name + ".shift", channels, {}, Role::vector);
  parameters.add(layer.name + ".mean", channels, {}, Role::statistic);
  parameters.add(layer.name + ".variance", channels, {1, 0}, Role::statistic);
}

}  // namespace

void add_parameters(Parameters& parameters, const Layer& layer, const ParameterContext& context) {
  switch (layer.kind) {
    case LayerKind::convolution:
      return add_convolution(parameters, layer, context);
    case LayerKind::fully_connected:
      return add_fully_connected(parameters, layer, context);
    case LayerKind::batch_norm:
      return add_batch_norm(parameters, layer);
    default:
      return add_sequence_parameters(parameters, layer, context);
  }
}

std::unique_ptr<Operation> make_operation(const OperationContext& context) {
  switch (context.layer.kind) {
    case LayerKind::convolution:
      return make_convolution(context);
    case LayerKind::batch_norm:
      return make_batch_norm(context);
    case LayerKind::relu:
      return make_relu(context);
    case LayerKind::max_pool:
    case LayerKind::average_pool:
    case LayerKind::global_average_pool:
      return make_pooling(context);
    case LayerKind::local_response_norm:
      return make_local_response_norm(context);
    case LayerKind::dropout:
      return make_dropout(context);
    case LayerKind::add:
      return make_add(context);
    case LayerKind::concat:
      return make_concat(context);
    case LayerKind::take_channels:
      return make_take_channels(context);
    case LayerKind::shuffle_channels:
      return make_shuffle_channels(context);
    case LayerKind::activation:
      return make_activation(context);
    case LayerKind::multiply:
      return make_multiply(context);
    case LayerKind::to_sequence:
      return make_to_sequence(context);
    case LayerKind::to_image:
      return make_to_image(context);
    case LayerKind::take_position:
      return make_take_position(context);
    case LayerKind::class_token:
      return make_class_token(context);
    case LayerKind::embedding:
      return make_embedding(context);
    case LayerKind::one_hot:
      return make_one_hot(context);
    case LayerKind::position_embedding:
      return make_position_embedding(context);
    case LayerKind::fully_connected:
    case LayerKind::linear:
      return make_linear(context);
    case LayerKind::layer_norm:
    case LayerKind::rms_norm:
      return make_row_norm(context);
    case LayerKind::attention:
      return make_attention(context);
    case LayerKind::gated_silu:
      return make_gated_silu(context);
    case LayerKind::lstm:
      return make_lstm(context);
    case LayerKind::softmax_loss:
      return make_loss(context);
    case LayerKind::experts:
      throw GpuError(abi::Status::unsupported,
                     fmt::format("layer {}: {}", context.layer.name, no_experts));
    case LayerKind::linear_recurrence:
      throw GpuError(abi::Status::unsupported,
                     fmt::format("layer {}: {}", context.layer.name, no_recurrence));
    case LayerKind::given:
    case LayerKind::group_norm:
    case LayerKind::upsample:
    case LayerKind::gated_gelu:
    case LayerKind::join_positions:
    case LayerKind::take_positions:
    case LayerKind::squared_error:
      throw GpuError(abi::Status::unsupported,
                     fmt::format("layer {}: {}", context.layer.name, no_given_parts));
    case LayerKind::transposed_convolution:
    case LayerKind::expected_bin:
    case LayerKind::detection_loss:
      throw GpuError(abi::Status::unsupported,
                     fmt::format("layer {}: {}", context.layer.name, no_detectors));
    case LayerKind::log_counts:
    case LayerKind::embedding_bags:
    case LayerKind::pairwise_dots:
      throw GpuError(abi::Status::unsupported,
                     fmt::format("layer {}: {}", context.layer.name, no_recommenders));
    case LayerKind::input:
      break;
  }
  throw GpuError(abi::Status::unsupported,
                 fmt::format("layer {} is an input that is not the first layer; a network has one "
                             "input",
                             context.layer.name));
}

}  // namespace rightsize::gpu
