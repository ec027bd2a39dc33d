#include "kernels/decode.h"

#include <fmt/format.h>

namespace rightsize {
namespace {

// Whether a position's output needs nothing but that position's input, or a cache of earlier ones.
bool generates(const Layer& layer) {
  switch (layer.kind) {
    case LayerKind::input:
    case LayerKind::relu:
    case LayerKind::dropout:
    case LayerKind::add:
    case LayerKind::activation:
    case LayerKind::multiply:
    case LayerKind::embedding:
    case LayerKind::one_hot:
    case LayerKind::position_embedding:
    case LayerKind::linear:
    case LayerKind::layer_norm:
    case LayerKind::rms_norm:
    case LayerKind::gated_silu:
    case LayerKind::experts:
    case LayerKind::linear_recurrence:
    case LayerKind::softmax_loss:
      return true;
    case LayerKind::attention:
      return layer.causal;
    case LayerKind::convolution:
    case LayerKind::fully_connected:
    case LayerKind::batch_norm:
    case LayerKind::max_pool:
    case LayerKind::average_pool:
    case LayerKind::global_average_pool:
    case LayerKind::local_response_norm:
    case LayerKind::concat:
    case LayerKind::take_channels:
    case LayerKind::shuffle_channels:
    case LayerKind::to_sequence:
    case LayerKind::to_image:
    case LayerKind::take_position:
    case LayerKind::class_token:
    case LayerKind::lstm:
    case LayerKind::given:
    case LayerKind::group_norm:
    case LayerKind::upsample:
    case LayerKind::gated_gelu:
    case LayerKind::join_positions:
    case LayerKind::take_positions:
    case LayerKind::transposed_convolution:
    case LayerKind::expected_bin:
    case LayerKind::log_counts:
    case LayerKind::embedding_bags:
    case LayerKind::pairwise_dots:
    case LayerKind::detection_loss:
    case LayerKind::squared_error:
      return false;
  }
  return false;
}

}  // namespace

Network one_position(const Network& network, int prompt) {
  const auto length = network.input.positions();
  if (!network.reads_tokens() || network.labels_per_item() != length) {
    throw EngineError(
        fmt::format("network {}: decode needs a language model, which predicts a "
                    "token at every position; use infer",
                    network.name));
  }
  if (prompt < 0 || prompt >= length) {
    throw EngineError(
        fmt::format("network {}: a prompt of {} tokens leaves no room in a "
                    "sequence of {}; use 0 to {}, or a longer sequence",
                    network.name,
                    prompt,
                    length,
                    length - 1));
  }
  auto result = network;
  for (auto& layer : result.layers) {
    if (!generates(layer)) {
      throw EngineError(
          fmt::format("network {}: layer {} cannot run one position at a time; "
                      "decode needs causal attention and layers that act on each "
                      "position alone, use infer",
                      network.name,
                      layer.name));
    }
    layer.out.h = 1;
    layer.out.w = 1;
  }
  result.input = result.layers.front().out;
  result.layers.pop_back();
  return result;
}

}  // namespace rightsize
