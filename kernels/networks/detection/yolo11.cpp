// YOLO11: Ultralytics, 2024, as its yolo11.yaml has it, for the 80 classes of COCO.
#include <array>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/yolo_blocks.h"

namespace rightsize::detection {
namespace {

constexpr std::array<YoloScale, 5> scales{{{0.50, 0.25, 1024},
                                           {0.50, 0.50, 1024},
                                           {0.50, 1.00, 512},
                                           {1.00, 1.00, 512},
                                           {1.00, 1.50, 512}}};
constexpr int first_deep = 2;  // from m on every stage has the deeper blocks

// What the whole is divided by for the channels of a stage's blocks.
constexpr std::int64_t half = 2;
constexpr std::int64_t quarter = 4;

}  // namespace

Network make_yolo11(const DetectionAsked& asked) {
  const auto& scale = scales.at(static_cast<std::size_t>(asked.scale));
  const int blocks = scale.blocks(2);
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, coco_classes + 1);
  const auto stage =
      [&](const std::string& name, int from, std::int64_t wide, std::int64_t part, bool deep) {
        const auto channels = scale.channels(wide);
        return c3k2(
            net, name, from, channels, channels / part, blocks, deep || asked.scale >= first_deep);
      };
  const auto halve = [&](const std::string& name, int from, std::int64_t wide) {
    return conv(net, name, from, scale.channels(wide), 3, 2);
  };
  int x = halve("conv2", halve("conv1", net.input(), 64), 128);
  x = stage("stage2", x, 256, quarter, false);
  const int eighth = stage("stage3", halve("conv3", x, 256), 512, quarter, false);
  const int sixteenth = stage("stage4", halve("conv4", eighth, 512), 512, half, true);
  x = stage("stage5", halve("conv5", sixteenth, 1024), 1024, half, true);
  x = c2psa(net, "c2psa", sppf(net, "sppf", x), blocks);
  const auto in_neck = [&](const std::string& name, int from, std::int64_t wide) {
    return stage(name, from, wide, half, wide == 1024);
  };
  const Levels levels{eighth, sixteenth, x};
  return finish_with_bins(net, neck(net, scale, levels, false, in_neck), {.light = true});
}

}  // namespace rightsize::detection
