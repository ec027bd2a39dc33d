// The layers of networks that find objects or label every position of an image.
#include <utility>

#include <fmt/format.h>

#include "kernels/networks/builder.h"

namespace rightsize {

int NetworkBuilder::tied_convolution(const std::string& name, int from, int like) {
  const auto owner = network_.layers.at(static_cast<std::size_t>(like));
  if (owner.kind != LayerKind::convolution || shape(owner.inputs[0]).c != shape(from).c) {
    refuse(name,
           fmt::format("the weights of {} do not fit {} channels", owner.name, shape(from).c));
  }
  const WindowHw window{.kernel_h = owner.kernel_h,
                        .kernel_w = owner.kernel_w,
                        .stride_h = owner.stride_h,
                        .stride_w = owner.stride_w,
                        .pad_h = owner.pad_h,
                        .pad_w = owner.pad_w,
                        .more_pad_h = owner.more_pad_h,
                        .more_pad_w = owner.more_pad_w,
                        .dilation_h = owner.dilation_h,
                        .dilation_w = owner.dilation_w,
                        .groups = owner.groups};
  const int index = convolution_hw(name, from, owner.out.c, window, owner.bias);
  network_.layers.back().tied_to = owner.tied_to < 0 ? like : owner.tied_to;
  return index;
}

int NetworkBuilder::transposed_convolution(
    const std::string& name, int from, std::int64_t channels, std::int64_t times, bool bias) {
  if (times < 1 || channels < 1) {
    refuse(name, fmt::format("{} channels, {} times as large", channels, times));
  }
  auto& layer = append(name, LayerKind::transposed_convolution, {from});
  layer.kernel_h = times;
  layer.kernel_w = times;
  layer.stride_h = times;
  layer.stride_w = times;
  layer.bias = bias;
  layer.out = {channels, layer.out.h * times, layer.out.w * times};
  return last();
}

int NetworkBuilder::interpolate(const std::string& name, int from, std::int64_t times) {
  const int index = upsample(name, from, times);
  network_.layers.back().interpolates = true;
  return index;
}

int NetworkBuilder::expected_bin(const std::string& name,
                                 int from,
                                 std::int64_t groups,
                                 std::int64_t bins) {
  const auto in = shape(from);
  if (groups < 1 || bins < 1 || groups * bins > in.c || in.w != 1) {
    refuse(name, fmt::format("{} groups of {} bins in {} features", groups, bins, in.c));
  }
  auto& layer = append(name, LayerKind::expected_bin, {from});
  layer.groups = groups;
  layer.bins = bins;
  layer.out.c = in.c - groups * (bins - 1);
  return last();
}

Network NetworkBuilder::finish_segmenter(int from, Optimizer optimizer) {
  const auto& loss = append("loss", LayerKind::softmax_loss, {from});
  if (loss.out.c != network_.classes) {
    refuse("loss", fmt::format("{} scores for {} classes", loss.out.c, network_.classes));
  }
  network_.optimizer = optimizer;
  return std::move(network_);
}

Network NetworkBuilder::finish_detector(int from, std::int64_t box_features, Scoring scoring) {
  auto& loss = append("loss", LayerKind::detection_loss, {from});
  loss.box_features = box_features;
  loss.scoring = scoring;
  const auto scores = loss.out.c - box_features;
  const auto expected = network_.classes - (scoring == Scoring::sigmoid ? 1 : 0);
  if (box_features < 1 || network_.classes < 2 || scores != expected || loss.out.w != 1) {
    refuse("loss",
           fmt::format("{} features with a box of {} for {} classes, one of them for no object",
                       loss.out.c,
                       box_features,
                       network_.classes));
  }
  return std::move(network_);
}

}  // namespace rightsize
