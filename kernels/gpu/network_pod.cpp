#include "kernels/gpu/network_pod.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/engine.h"

namespace rightsize::gpu {
namespace {

void copy_name(const std::string& name, char (&target)[abi::name_bytes]) {
  if (name.size() >= abi::name_bytes) {
    throw EngineError(
        fmt::format("gpu engine: the name \"{}\" is longer than {} characters; "
                    "shorten it in the network",
                    name,
                    abi::name_bytes - 1));
  }
  std::memcpy(target, name.c_str(), name.size() + 1);
}

std::string read_name(const char (&name)[abi::name_bytes]) {
  return {name, std::find(name, name + abi::name_bytes, '\0')};
}

void encode_sequence(const Layer& layer, abi::Layer& pod) {
  pod.activation = static_cast<std::int32_t>(layer.activation);
  pod.activation_alpha = layer.activation_alpha;
  pod.first_channel = layer.first_channel;
  pod.tied_to = layer.tied_to;
  pod.causal = layer.causal ? 1 : 0;
  pod.bidirectional = layer.bidirectional ? 1 : 0;
  pod.carries_state = layer.carries_state ? 1 : 0;
  pod.vocabulary = layer.vocabulary;
  pod.segments = layer.segments;
  pod.position = layer.position;
  pod.heads = layer.heads;
  pod.kv_heads = layer.kv_heads;
  pod.head_dim = layer.head_dim;
  pod.hidden = layer.hidden;
  pod.experts = layer.experts;
  pod.experts_per_token = layer.experts_per_token;
  pod.rotary_base = layer.rotary_base;
  pod.window = layer.window;
  pod.keys = layer.keys;
  pod.latent = layer.latent;
  pod.distances = layer.distances;
  pod.keys_of = layer.keys_of;
  pod.rotary_dim = layer.rotary_dim;
  pod.value_dim = layer.value_dim;
}

void decode_sequence(const abi::Layer& pod, Layer& layer) {
  layer.activation = static_cast<Activation>(pod.activation);
  layer.activation_alpha = pod.activation_alpha;
  layer.first_channel = pod.first_channel;
  layer.tied_to = pod.tied_to;
  layer.causal = pod.causal != 0;
  layer.bidirectional = pod.bidirectional != 0;
  layer.carries_state = pod.carries_state != 0;
  layer.vocabulary = pod.vocabulary;
  layer.segments = pod.segments;
  layer.position = pod.position;
  layer.heads = pod.heads;
  layer.kv_heads = pod.kv_heads;
  layer.head_dim = pod.head_dim;
  layer.hidden = pod.hidden;
  layer.experts = pod.experts;
  layer.experts_per_token = pod.experts_per_token;
  layer.rotary_base = pod.rotary_base;
  layer.window = pod.window;
  layer.keys = pod.keys;
  layer.latent = pod.latent;
  layer.distances = pod.distances;
  layer.keys_of = pod.keys_of;
  layer.rotary_dim = pod.rotary_dim;
  layer.value_dim = pod.value_dim;
}

abi::Layer encode(const Layer& layer, std::int32_t first_input) {
  abi::Layer pod{};
  copy_name(layer.name, pod.name);
  pod.kind = static_cast<std::int32_t>(layer.kind);
  pod.first_input = first_input;
  pod.input_count = static_cast<std::int32_t>(layer.inputs.size());
  pod.bias = layer.bias ? 1 : 0;
  pod.c = layer.out.c;
  pod.h = layer.out.h;
  pod.w = layer.out.w;
  pod.kernel_h = layer.kernel_h;
  pod.kernel_w = layer.kernel_w;
  pod.stride_h = layer.stride_h;
  pod.stride_w = layer.stride_w;
  pod.pad_h = layer.pad_h;
  pod.pad_w = layer.pad_w;
  pod.groups = layer.groups;
  pod.lrn_size = layer.lrn_size;
  pod.lrn_alpha = layer.lrn_alpha;
  pod.lrn_beta = layer.lrn_beta;
  pod.lrn_k = layer.lrn_k;
  pod.dropout_rate = layer.dropout_rate;
  pod.more_pad_h = layer.more_pad_h;
  pod.more_pad_w = layer.more_pad_w;
  pod.dilation_h = layer.dilation_h;
  pod.dilation_w = layer.dilation_w;
  pod.epsilon = layer.epsilon;
  pod.count_padding = layer.count_padding ? 1 : 0;
  encode_sequence(layer, pod);
  return pod;
}

Layer decode(const abi::Layer& pod) {
  Layer layer;
  layer.name = read_name(pod.name);
  layer.kind = static_cast<LayerKind>(pod.kind);
  layer.out = {pod.c, pod.h, pod.w};
  layer.kernel_h = pod.kernel_h;
  layer.kernel_w = pod.kernel_w;
  layer.stride_h = pod.stride_h;
  layer.stride_w = pod.stride_w;
  layer.pad_h = pod.pad_h;
  layer.pad_w = pod.pad_w;
  layer.groups = pod.groups;
  layer.bias = pod.bias != 0;
  layer.lrn_size = pod.lrn_size;
  layer.lrn_alpha = pod.lrn_alpha;
  layer.lrn_beta = pod.lrn_beta;
  layer.lrn_k = pod.lrn_k;
  layer.dropout_rate = pod.dropout_rate;
  layer.more_pad_h = pod.more_pad_h;
  layer.more_pad_w = pod.more_pad_w;
  layer.dilation_h = pod.dilation_h;
  layer.dilation_w = pod.dilation_w;
  layer.epsilon = pod.epsilon;
  layer.count_padding = pod.count_padding != 0;
  decode_sequence(pod, layer);
  return layer;
}

bool has_valid_kind(const abi::Layer& pod) {
  return pod.kind >= 0 && pod.kind <= static_cast<std::int32_t>(LayerKind::softmax_loss);
}

}  // namespace

EncodedNetwork::EncodedNetwork(const Network& network) {
  copy_name(network.name, header_.name);
  header_.input_c = network.input.c;
  header_.input_h = network.input.h;
  header_.input_w = network.input.w;
  header_.classes = network.classes;
  header_.input_kind = static_cast<std::int32_t>(network.input_kind);
  header_.vocabulary = network.vocabulary;
  header_.optimizer = static_cast<std::int32_t>(network.optimizer);
  for (const auto& layer : network.layers) {
    layers_.push_back(encode(layer, static_cast<std::int32_t>(inputs_.size())));
    inputs_.insert(inputs_.end(), layer.inputs.begin(), layer.inputs.end());
  }
}

abi::Network EncodedNetwork::view() const {
  auto result = header_;
  result.layer_count = static_cast<std::int32_t>(layers_.size());
  result.layers = layers_.data();
  result.inputs = inputs_.data();
  result.input_count = static_cast<std::int32_t>(inputs_.size());
  return result;
}

Network decode(const abi::Network& pod) {
  Network network{read_name(pod.name),
                  read_name(pod.name),
                  {pod.input_c, pod.input_h, pod.input_w},
                  pod.classes,
                  {},
                  static_cast<InputKind>(pod.input_kind),
                  pod.vocabulary,
                  static_cast<Optimizer>(pod.optimizer)};
  for (std::int32_t i = 0; i < pod.layer_count; ++i) {
    const auto& from = pod.layers[i];
    if (!has_valid_kind(from) || from.first_input < 0 || from.input_count < 0 ||
        from.first_input + from.input_count > pod.input_count) {
      throw std::invalid_argument(
          fmt::format("network {}: layer {} is malformed; program and plugin differ, rebuild both",
                      network.name,
                      i));
    }
    auto layer = decode(from);
    for (std::int32_t k = 0; k < from.input_count; ++k) {
      const auto input = pod.inputs[from.first_input + k];
      if (input < 0 || input >= i) {
        throw std::invalid_argument(
            fmt::format("network {}: layer {} reads layer {}, which is not before it",
                        network.name,
                        layer.name,
                        input));
      }
      layer.inputs.push_back(input);
    }
    network.layers.push_back(std::move(layer));
  }
  return network;
}

}  // namespace rightsize::gpu
