// YOLOv8: Ultralytics, 2023, as its yolov8.yaml has it, for the 80 classes of COCO (Lin et al.,
// ECCV 2014), and with the heads of yolov8-seg.yaml, -pose and -obb, for what is published of them,
// and the classes of Open Images V7.
// At inference its program folds batch norms into convolutions; that is a matter of how a layer
// list is run, and not another list.
#include <array>
#include <string>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/yolo_blocks.h"

namespace rightsize::detection {
namespace {

constexpr std::array<YoloScale, 5> scales{{{0.33, 0.25, 1024},
                                           {0.33, 0.50, 1024},
                                           {0.67, 0.75, 768},
                                           {1.00, 1.00, 512},
                                           {1.00, 1.25, 512}}};

int stage(NetworkBuilder& net,
          const YoloScale& scale,
          const std::string& name,
          int from,
          std::int64_t wide,
          int blocks,
          bool shortcut) {
  const auto channels = scale.channels(wide);
  const auto inner = channels / 2;
  return c2f(net, name, from, channels, inner, scale.blocks(blocks), [&](auto own, int x) {
    return bottleneck(net, own, x, inner, {inner, 3, shortcut});
  });
}

Network with_head(const DetectionAsked& asked, const YoloHead& head) {
  const auto& scale = scales.at(static_cast<std::size_t>(asked.scale));
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, head.scored() + 1);
  auto levels = yolov8_stages(net, scale);
  levels[2] = sppf(net, "sppf", levels[2]);
  const auto plain = [&](const std::string& name, int from, std::int64_t wide) {
    return stage(net, scale, name, from, wide, 3, false);
  };
  return finish_with_bins(net, neck(net, scale, levels, false, plain), head);
}

}  // namespace

Levels yolov8_stages(NetworkBuilder& net, const YoloScale& scale) {
  const auto halve = [&](const std::string& name, int from, std::int64_t wide) {
    return conv(net, name, from, scale.channels(wide), 3, 2);
  };
  int x = halve("conv2", halve("conv1", net.input(), 64), 128);
  x = stage(net, scale, "stage2", x, 128, 3, true);
  const int eighth = stage(net, scale, "stage3", halve("conv3", x, 256), 256, 6, true);
  const int sixteenth = stage(net, scale, "stage4", halve("conv4", eighth, 512), 512, 6, true);
  return {eighth,
          sixteenth,
          stage(net, scale, "stage5", halve("conv5", sixteenth, 1024), 1024, 3, true)};
}

Network make_yolov8(const DetectionAsked& asked) {
  return with_head(asked, {});
}
Network make_yolov8_seg(const DetectionAsked& asked) {
  return with_head(asked, {.task = YoloTask::segment});
}
Network make_yolov8_pose(const DetectionAsked& asked) {
  return with_head(asked, {.task = YoloTask::pose});
}
Network make_yolov8_obb(const DetectionAsked& asked) {
  return with_head(asked, {.task = YoloTask::obb});
}

Network make_yolov8_oiv7(const DetectionAsked& asked) {
  constexpr int of_open_images = 601;  // V7
  return with_head(asked, {.classes = of_open_images});
}

}  // namespace rightsize::detection
