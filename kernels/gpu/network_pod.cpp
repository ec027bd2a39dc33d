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
                  {}};
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
