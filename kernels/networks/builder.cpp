#include "kernels/networks/builder.h"

#include <utility>

#include <fmt/format.h>

#include "kernels/engine.h"

namespace rightsize {
namespace {

std::int64_t extent(std::int64_t in, const Window& window) {
  return (in + 2 * window.pad - window.kernel) / window.stride + 1;
}

}  // namespace

NetworkBuilder::NetworkBuilder(std::string name, std::string title, FeatureShape input, int classes)
    : network_{std::move(name), std::move(title), input, classes, {}} {
  append("data", LayerKind::input, {}).out = input;
}

Layer& NetworkBuilder::append(const std::string& name, LayerKind kind, std::vector<int> from) {
  Layer layer;
  layer.name = name;
  layer.kind = kind;
  layer.inputs = std::move(from);
  if (!layer.inputs.empty()) {
    layer.out = network_.layers.at(static_cast<std::size_t>(layer.inputs[0])).out;
  }
  return network_.layers.emplace_back(std::move(layer));
}

int NetworkBuilder::windowed(const std::string& name, LayerKind kind, int from, Window window) {
  auto& layer = append(name, kind, {from});
  layer.kernel_h = layer.kernel_w = window.kernel;
  layer.stride_h = layer.stride_w = window.stride;
  layer.pad_h = layer.pad_w = window.pad;
  layer.groups = window.groups;
  if (window.kernel > layer.out.h + 2 * window.pad ||
      window.kernel > layer.out.w + 2 * window.pad) {
    throw EngineError(
        fmt::format("network {}, layer {}: a {}x{} window does not fit into {}x{}; "
                    "use a larger input or a smaller window",
                    network_.name,
                    name,
                    window.kernel,
                    window.kernel,
                    layer.out.h,
                    layer.out.w));
  }
  layer.out.h = extent(layer.out.h, window);
  layer.out.w = extent(layer.out.w, window);
  return last();
}

int NetworkBuilder::convolution(
    const std::string& name, int from, std::int64_t channels, Window window, bool bias) {
  const auto in_channels = network_.layers.at(static_cast<std::size_t>(from)).out.c;
  if (in_channels % window.groups != 0 || channels % window.groups != 0) {
    throw EngineError(
        fmt::format("network {}, layer {}: {} -> {} channels cannot be cut into {} "
                    "groups; use a divisor of both",
                    network_.name,
                    name,
                    in_channels,
                    channels,
                    window.groups));
  }
  const int index = windowed(name, LayerKind::convolution, from, window);
  network_.layers.back().out.c = channels;
  network_.layers.back().bias = bias;
  return index;
}

int NetworkBuilder::fully_connected(const std::string& name, int from, std::int64_t features) {
  auto& layer = append(name, LayerKind::fully_connected, {from});
  layer.out = {features, 1, 1};
  layer.bias = true;
  return last();
}

int NetworkBuilder::batch_norm(const std::string& name, int from) {
  append(name, LayerKind::batch_norm, {from});
  return last();
}

int NetworkBuilder::relu(const std::string& name, int from) {
  append(name, LayerKind::relu, {from});
  return last();
}

int NetworkBuilder::max_pool(const std::string& name, int from, Window window) {
  return windowed(name, LayerKind::max_pool, from, window);
}

int NetworkBuilder::average_pool(const std::string& name, int from, Window window) {
  return windowed(name, LayerKind::average_pool, from, window);
}

int NetworkBuilder::global_average_pool(const std::string& name, int from) {
  auto& layer = append(name, LayerKind::global_average_pool, {from});
  layer.kernel_h = layer.out.h;
  layer.kernel_w = layer.out.w;
  layer.out = {layer.out.c, 1, 1};
  return last();
}

int NetworkBuilder::local_response_norm(const std::string& name, int from) {
  append(name, LayerKind::local_response_norm, {from});
  return last();
}

int NetworkBuilder::dropout(const std::string& name, int from, float rate) {
  append(name, LayerKind::dropout, {from}).dropout_rate = rate;
  return last();
}

int NetworkBuilder::add(const std::string& name, std::vector<int> from) {
  const auto& layer = append(name, LayerKind::add, std::move(from));
  for (const int input : layer.inputs) {
    if (network_.layers.at(static_cast<std::size_t>(input)).out != layer.out) {
      throw EngineError(
          fmt::format("network {}, layer {}: the summands differ in shape; project "
                      "the shortcut to {}x{}x{} first",
                      network_.name,
                      name,
                      layer.out.c,
                      layer.out.h,
                      layer.out.w));
    }
  }
  return last();
}

Network NetworkBuilder::finish(int from) {
  const auto& loss = append("loss", LayerKind::softmax_loss, {from});
  if (loss.out != FeatureShape{network_.classes, 1, 1}) {
    throw EngineError(fmt::format("network {}: the last layer gives {}x{}x{} scores for {} classes",
                                  network_.name,
                                  loss.out.c,
                                  loss.out.h,
                                  loss.out.w,
                                  network_.classes));
  }
  return std::move(network_);
}

}  // namespace rightsize
