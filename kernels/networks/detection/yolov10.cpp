// YOLOv10: Wang et al., "YOLOv10: Real-Time End-to-End Object Detection", NeurIPS 2024, as its
// authors' yaml files (THU-MIG/yolov10) have it, for the 80 classes of COCO. It has two heads while
// it trains, and one where it infers, which finds each object once: that is the one here.
#include <array>
#include <string>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/yolo_blocks.h"

namespace rightsize::detection {
namespace {

// Which stages have inverted blocks, and whether these filter by 7x7 besides.
struct Form {
  YoloScale scale;
  bool third;  // of the backbone, at a sixteenth of a side
  bool fourth;
  bool down;  // of the neck
  bool half;
  bool large;
};

constexpr std::array<Form, 6> forms{{
    {{0.33, 0.25, 1024}, false, false, false, false, true},
    {{0.33, 0.50, 1024}, false, true, false, false, true},
    {{0.67, 0.75, 768}, false, true, false, true, false},
    {{0.67, 1.00, 512}, false, true, true, true, false},
    {{1.00, 1.00, 512}, false, true, true, true, false},
    {{1.00, 1.25, 512}, true, true, true, true, false},
}};

Window filter(NetworkBuilder& net, int from, std::int64_t kernel, std::int64_t stride = 1) {
  return {.kernel = kernel, .stride = stride, .pad = kernel / 2, .groups = net.shape(from).c};
}

int largely(NetworkBuilder& net, const std::string& name, int from) {
  const auto channels = net.shape(from).c;
  const int wide = norm_conv(net, name + "_7x7", from, channels, filter(net, from, 7));
  const int narrow = norm_conv(net, name + "_3x3", from, channels, filter(net, from, 3));
  return net.activation(name + "_silu", net.add(name + "_sum", {wide, narrow}), Activation::silu);
}

// Compact inverted block.
int inverted(NetworkBuilder& net, const std::string& name, int from, bool large) {
  const auto channels = net.shape(from).c;
  int x = depthwise(net, name + "_cv1", from);
  x = conv(net, name + "_cv2", x, 2 * channels);
  x = large ? largely(net, name + "_cv3", x) : depthwise(net, name + "_cv3", x);
  x = conv(net, name + "_cv4", x, channels);
  return net.add(name + "_add", {from, depthwise(net, name + "_cv5", x)});
}

// Channels first, then size.
int halved(NetworkBuilder& net, const std::string& name, int from, std::int64_t channels) {
  const int x = conv(net, name + "_cv1", from, channels);
  return norm_conv(net, name + "_cv2", x, channels, filter(net, x, 3, 2));
}

}  // namespace

Network make_yolov10(const DetectionAsked& asked) {
  const auto& form = forms.at(static_cast<std::size_t>(asked.scale));
  const auto& scale = form.scale;
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, coco_classes + 1);
  const auto plain =
      [&](const std::string& name, int from, std::int64_t wide, int blocks, bool shortcut) {
        const auto channels = scale.channels(wide);
        const auto inner = channels / 2;
        return c2f(net, name, from, channels, inner, scale.blocks(blocks), [&](auto own, int x) {
          return bottleneck(net, own, x, inner, {inner, 3, shortcut});
        });
      };
  const auto stage = [&](const std::string& name,
                         int from,
                         std::int64_t wide,
                         int blocks,
                         bool inverts,
                         bool shortcut) {
    const auto channels = scale.channels(wide);
    return inverts ? c2f(net,
                         name,
                         from,
                         channels,
                         channels / 2,
                         scale.blocks(blocks),
                         [&](auto own, int x) { return inverted(net, own, x, form.large); })
                   : plain(name, from, wide, blocks, shortcut);
  };
  const auto larger = [&](const std::string& name, int from, int beside) {
    return net.concat(name + "_joined", {net.upsample(name + "_up", from, 2), beside});
  };
  int x = conv(net, "conv1", net.input(), scale.channels(64), 3, 2);
  x = plain("stage2", conv(net, "conv2", x, scale.channels(128), 3, 2), 128, 3, true);
  const int eighth =
      plain("stage3", conv(net, "conv3", x, scale.channels(256), 3, 2), 256, 6, true);
  x = halved(net, "conv4", eighth, scale.channels(512));
  const int sixteenth = stage("stage4", x, 512, 6, form.third, true);
  x = stage(
      "stage5", halved(net, "conv5", sixteenth, scale.channels(1024)), 1024, 3, form.fourth, true);
  const int top = c2psa(net, "psa", sppf(net, "sppf", x), 1);
  const int middle =
      stage("neck_down4", larger("neck_down4", top, sixteenth), 512, 3, form.down, false);
  const int fine = plain("neck_out3", larger("neck_out3", middle, eighth), 256, 3, false);
  x = conv(net, "neck_smaller4", fine, scale.channels(256), 3, 2);
  const int half =
      stage("neck_out4", net.concat("neck_smaller4_joined", {x, middle}), 512, 3, form.half, false);
  x = net.concat("neck_smaller5_joined",
                 {halved(net, "neck_smaller5", half, scale.channels(512)), top});
  auto network = finish_with_bins(
      net, {fine, half, stage("neck_out5", x, 1024, 3, true, true)}, {.light = true});
  network.notes.emplace_back(
      "the head that it trains beside, and does not infer with, is left out: training takes longer "
      "than said by what that is of the whole, a tenth to a quarter");
  return network;
}

}  // namespace rightsize::detection
