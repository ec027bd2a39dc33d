// YOLOv9: Wang et al., "YOLOv9: Learning What You Want to Learn Using Programmable Gradient
// Information", ECCV 2024, as Ultralytics' yolov9t.yaml to yolov9c.yaml have it: what is deployed,
// without the branches that its authors train it beside. A convolution of 3x3 and one of 1x1 are
// summed while it trains, and one when it infers (RepConv); here they stay two.
#include <array>
#include <string>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/yolo_blocks.h"

namespace rightsize::detection {
namespace {

// Channels of the stem and of the stages at a quarter, an eighth, a sixteenth and a thirty-second
// of a side: of what goes out, and between.
struct Form {
  std::array<std::int64_t, 2> stem;
  std::array<std::int64_t, 4> out;
  std::array<std::int64_t, 4> inner;
  std::array<std::int64_t, 2> halved;  // of the neck's way down
  int blocks;
  bool plain_first;  // the first stage has convolutions alone
  bool by_halves;    // sizes are halved by a convolution and a pooling, half of the channels each
};

constexpr std::array<Form, 4> forms{{
    {{16, 32}, {32, 64, 96, 128}, {32, 64, 96, 128}, {48, 64}, 3, true, false},
    {{32, 64}, {64, 128, 192, 256}, {64, 128, 192, 256}, {96, 128}, 3, true, false},
    {{32, 64}, {128, 240, 360, 480}, {128, 240, 360, 480}, {180, 240}, 1, false, false},
    {{64, 128}, {256, 512, 512, 512}, {128, 256, 512, 512}, {256, 512}, 1, false, true},
}};

int rep_conv(NetworkBuilder& net, const std::string& name, int from) {
  const auto channels = net.shape(from).c;
  const int square = norm_conv(net, name + "_3x3", from, channels, {.kernel = 3, .pad = 1});
  const int point = norm_conv(net, name + "_1x1", from, channels);
  return net.activation(name + "_silu", net.add(name + "_sum", {square, point}), Activation::silu);
}

// Half of the channels through bottlenecks, half past them (CSP).
int rep_csp(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, int blocks) {
  const auto inner = channels / 2;
  int x = conv(net, name + "_cv1", from, inner);
  for (int i = 0; i < blocks; ++i) {
    const auto own = name + "_m" + std::to_string(i);
    const int y = conv(net, own + "_cv2", rep_conv(net, own + "_cv1", x), inner, 3);
    x = net.add(own + "_sum", {x, y});
  }
  const int past = conv(net, name + "_cv2", from, inner);
  return conv(net, name + "_cv3", net.concat(name + "_cat", {x, past}), channels);
}

// Halves of `inner` channels, and what two parts in a row make of the second, joined (ELAN).
int elan(NetworkBuilder& net,
         const std::string& name,
         int from,
         std::int64_t channels,
         std::int64_t inner,
         int blocks) {
  const int both = conv(net, name + "_cv1", from, inner);
  int x = net.take_channels(name + "_half", both, inner / 2, inner / 2);
  std::vector<int> joined{both};
  for (const auto* const part : {"_cv2", "_cv3"}) {
    const auto own = name + part;
    x = blocks > 0 ? rep_csp(net, own, x, inner / 2, blocks) : x;
    x = conv(net, own + "_conv", x, inner / 2, 3);
    joined.push_back(x);
  }
  return conv(net, name + "_cv4", net.concat(name + "_cat", joined), channels);
}

int halved(NetworkBuilder& net,
           const Form& form,
           const std::string& name,
           int from,
           std::int64_t channels) {
  const int x = net.average_pool(name + "_mean", from, {.kernel = 2});
  if (!form.by_halves) {
    return conv(net, name, x, channels, 3, 2);
  }
  const auto half = net.shape(x).c / 2;
  const int first =
      conv(net, name + "_cv1", net.take_channels(name + "_first", x, 0, half), channels / 2, 3, 2);
  const int second = net.max_pool(name + "_pool",
                                  net.take_channels(name + "_second", x, half, half),
                                  {.kernel = 3, .stride = 2, .pad = 1});
  return net.concat(name + "_cat", {first, conv(net, name + "_cv2", second, channels / 2)});
}

// Four poolings in a row of what half of the channels became, joined.
int pooled(NetworkBuilder& net, const std::string& name, int from) {
  const auto channels = net.shape(from).c;
  std::vector<int> joined{conv(net, name + "_cv1", from, channels / 2)};
  for (int i = 1; i <= 3; ++i) {
    joined.push_back(
        net.max_pool(name + "_pool" + std::to_string(i), joined.back(), {.kernel = 5, .pad = 2}));
  }
  return conv(net, name + "_cv5", net.concat(name + "_cat", joined), channels);
}

Levels neck_of(NetworkBuilder& net, const Form& form, const Levels& levels) {
  const auto stage = [&](const std::string& name, int from, std::size_t level) {
    const auto inner = form.by_halves && level == 1 ? form.out[0] : form.inner[level];
    const auto channels = form.by_halves && level == 1 ? form.out[0] : form.out[level];
    return elan(net, name, from, channels, inner, form.blocks);
  };
  const auto larger = [&](const std::string& name, int from, int beside) {
    return net.concat(name + "_joined", {net.upsample(name + "_up", from, 2), beside});
  };
  const int middle = stage("neck_down4", larger("neck_down4", levels[2], levels[1]), 2);
  const int fine = stage("neck_out3", larger("neck_out3", middle, levels[0]), 1);
  int x = halved(net, form, "neck_smaller4", fine, form.halved[0]);
  const int half = stage("neck_out4", net.concat("neck_smaller4_joined", {x, middle}), 2);
  x = halved(net, form, "neck_smaller5", half, form.halved[1]);
  return {fine, half, stage("neck_out5", net.concat("neck_smaller5_joined", {x, levels[2]}), 3)};
}

}  // namespace

Network make_yolov9(const DetectionAsked& asked) {
  const auto& form = forms.at(static_cast<std::size_t>(asked.scale));
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, coco_classes + 1);
  int x = conv(net, "conv1", net.input(), form.stem[0], 3, 2);
  x = conv(net, "conv2", x, form.stem[1], 3, 2);
  Levels levels{};
  for (std::size_t stage = 0; stage < form.out.size(); ++stage) {
    const auto name = "stage" + std::to_string(stage + 2);
    if (stage > 0) {
      const auto channels = form.by_halves ? net.shape(x).c : form.out[stage];
      x = halved(net, form, name + "_halved", x, channels);
    }
    const bool plain = stage == 0 && form.plain_first;
    x = elan(net, name, x, form.out[stage], form.inner[stage], plain ? 0 : form.blocks);
    if (stage > 0) {
      levels[stage - 1] = x;
    }
  }
  levels[2] = pooled(net, "spp", levels[2]);
  return finish_with_bins(net, neck_of(net, form, levels), {});
}

}  // namespace rightsize::detection
