#include "kernels/networks/builder.h"

#include <utility>

#include <fmt/format.h>

#include "kernels/network_error.h"

namespace rightsize {
namespace {

WindowHw both_ways(const Window& w) {
  return {.kernel_h = w.kernel,
          .kernel_w = w.kernel,
          .stride_h = w.stride,
          .stride_w = w.stride,
          .pad_h = w.pad,
          .pad_w = w.pad,
          .more_pad_h = w.more_pad,
          .more_pad_w = w.more_pad,
          .dilation_h = w.dilation,
          .dilation_w = w.dilation,
          .groups = w.groups};
}

// What a dilated window spans.
std::int64_t span_of(std::int64_t kernel, std::int64_t dilation) {
  return (kernel - 1) * dilation + 1;
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
  layer.passes = passes_;
  layer.copies = copies_;
  layer.block = block_;
  layer.weight_bits = kind == LayerKind::linear ? weight_bits_ : 0;
  if (!layer.inputs.empty()) {
    layer.out = network_.layers.at(static_cast<std::size_t>(layer.inputs[0])).out;
  }
  return network_.layers.emplace_back(std::move(layer));
}

void NetworkBuilder::refuse(const std::string& layer, const std::string& why) const {
  throw NetworkError(fmt::format("network {}, layer {}: {}", network_.name, layer, why));
}

const FeatureShape& NetworkBuilder::shape(int layer) const {
  return network_.layers.at(static_cast<std::size_t>(layer)).out;
}

int NetworkBuilder::windowed(const std::string& name,
                             LayerKind kind,
                             int from,
                             const WindowHw& window) {
  const auto in = shape(from);
  const auto height = in.h + 2 * window.pad_h + window.more_pad_h;
  const auto width = in.w + 2 * window.pad_w + window.more_pad_w;
  const auto span_h = span_of(window.kernel_h, window.dilation_h);
  const auto span_w = span_of(window.kernel_w, window.dilation_w);
  if (span_h > height || span_w > width) {
    refuse(name,
           fmt::format("a {}x{} window does not fit into {}x{}; use a larger input or a smaller "
                       "window",
                       span_h,
                       span_w,
                       in.h,
                       in.w));
  }
  auto& layer = append(name, kind, {from});
  layer.kernel_h = window.kernel_h;
  layer.kernel_w = window.kernel_w;
  layer.stride_h = window.stride_h;
  layer.stride_w = window.stride_w;
  layer.pad_h = window.pad_h;
  layer.pad_w = window.pad_w;
  layer.more_pad_h = window.more_pad_h;
  layer.more_pad_w = window.more_pad_w;
  layer.dilation_h = window.dilation_h;
  layer.dilation_w = window.dilation_w;
  layer.groups = window.groups;
  layer.out.h = (height - span_h) / window.stride_h + 1;
  layer.out.w = (width - span_w) / window.stride_w + 1;
  return last();
}

int NetworkBuilder::convolution(
    const std::string& name, int from, std::int64_t channels, Window window, bool bias) {
  return convolution_hw(name, from, channels, both_ways(window), bias);
}

int NetworkBuilder::convolution_hw(
    const std::string& name, int from, std::int64_t channels, const WindowHw& window, bool bias) {
  const auto in_channels = shape(from).c;
  if (in_channels % window.groups != 0 || channels % window.groups != 0) {
    refuse(name,
           fmt::format("{} -> {} channels cannot be cut into {} groups; use a divisor of both",
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

int NetworkBuilder::batch_norm(const std::string& name, int from, float epsilon) {
  append(name, LayerKind::batch_norm, {from}).epsilon = epsilon;
  return last();
}

int NetworkBuilder::relu(const std::string& name, int from) {
  append(name, LayerKind::relu, {from});
  return last();
}

int NetworkBuilder::max_pool(const std::string& name, int from, Window window) {
  return windowed(name, LayerKind::max_pool, from, both_ways(window));
}

int NetworkBuilder::average_pool(const std::string& name,
                                 int from,
                                 Window window,
                                 bool count_padding) {
  const int index = windowed(name, LayerKind::average_pool, from, both_ways(window));
  network_.layers.back().count_padding = count_padding;
  return index;
}

int NetworkBuilder::global_average_pool(const std::string& name, int from) {
  auto& layer = append(name, LayerKind::global_average_pool, {from});
  layer.kernel_h = layer.out.h;
  layer.kernel_w = layer.out.w;
  layer.out = {layer.out.c, 1, 1};
  return last();
}

int NetworkBuilder::local_response_norm(const std::string& name, int from, ResponseNorm norm) {
  auto& layer = append(name, LayerKind::local_response_norm, {from});
  layer.lrn_size = norm.size;
  layer.lrn_alpha = norm.alpha;
  layer.lrn_beta = norm.beta;
  layer.lrn_k = norm.k;
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
      throw NetworkError(
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

Network NetworkBuilder::finish(int from, Optimizer optimizer) {
  const auto& scores = shape(from);
  const bool fits = scores.c == network_.classes;  // else that is what is said
  if (fits && network_.input_kind == InputKind::image && scores.positions() != 1) {
    refuse("loss",
           fmt::format("scores at {}x{} positions of an image; pool first", scores.h, scores.w));
  }
  return finish_segmenter(from, optimizer);
}

}  // namespace rightsize
