// YOLOv5: Ultralytics, 2020, from version 6.0 on, as its yolov5s.yaml has it, for the 80 classes of
// COCO. Each place of three levels answers for three anchors: a box, a score for any object, and
// one for each class.
#include <array>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/yolo_blocks.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize::detection {
namespace {

constexpr std::array<YoloScale, 5> scales{
    {{0.33, 0.25}, {0.33, 0.50}, {0.67, 0.75}, {1.00, 1.00}, {1.33, 1.25}}};

constexpr std::int64_t anchors = 3;
constexpr std::int64_t sides = 4;

Network finish_with_anchors(NetworkBuilder& net, const Levels& levels) {
  std::vector<int> sequences;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto level = std::to_string(i + 3);
    const int x = net.convolution(
        "head_conv" + level, levels[i], anchors * (sides + 1 + coco_classes), {}, true);
    sequences.push_back(net.to_sequence("head_sequence" + level, x, anchors));
  }
  return finish_yolo(net, net.join_positions("head", sequences), Scoring::objectness);
}

}  // namespace

Network make_yolov5(const DetectionAsked& asked) {
  const auto& scale = scales.at(static_cast<std::size_t>(asked.scale));
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, coco_classes + 1);
  const auto stage =
      [&](const std::string& name, int from, std::int64_t wide, int blocks, bool shortcut) {
        return c3(net, name, from, scale.channels(wide), scale.blocks(blocks), 1, shortcut);
      };
  const auto halve = [&](const std::string& name, int from, std::int64_t wide) {
    return conv(net, name, from, scale.channels(wide), 3, 2);
  };
  int x = convolution_norm_active(net,
                                  "conv1",
                                  net.input(),
                                  scale.channels(64),
                                  {.kernel = 6, .stride = 2, .pad = 2},
                                  Activation::silu,
                                  1e-3F);
  x = stage("stage2", halve("conv2", x, 128), 128, 3, true);
  const int eighth = stage("stage3", halve("conv3", x, 256), 256, 6, true);
  const int sixteenth = stage("stage4", halve("conv4", eighth, 512), 512, 9, true);
  x = stage("stage5", halve("conv5", sixteenth, 1024), 1024, 3, true);
  const Levels levels{eighth, sixteenth, sppf(net, "sppf", x)};
  const auto plain = [&](const std::string& name, int from, std::int64_t wide) {
    return stage(name, from, wide, 3, false);
  };
  return finish_with_anchors(net, neck(net, scale, levels, true, plain));
}

}  // namespace rightsize::detection
