// YOLO11: Ultralytics, 2024, as its yolo11.yaml has it, for the 80 classes of COCO, and with the
// heads of yolo11-seg.yaml, -pose and -obb, for what is published of them.
#include <array>
#include <string>

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
constexpr int repeated = 2;  // blocks of a stage of the largest

int stage(NetworkBuilder& net,
          int scale,
          const std::string& name,
          int from,
          std::int64_t wide,
          std::int64_t part,
          bool deep) {
  const auto& form = scales.at(static_cast<std::size_t>(scale));
  const auto channels = form.channels(wide);
  return c3k2(net,
              name,
              from,
              channels,
              channels / part,
              form.blocks(repeated),
              deep || scale >= first_deep);
}

Network of_task(const DetectionAsked& asked, YoloTask task) {
  const auto& scale = scales.at(static_cast<std::size_t>(asked.scale));
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, classes_of(task) + 1);
  auto levels = yolo11_stages(net, asked.scale);
  levels[2] = c2psa(net, "c2psa", sppf(net, "sppf", levels[2]), scale.blocks(repeated));
  const auto in_neck = [&](const std::string& name, int from, std::int64_t wide) {
    return stage(net, asked.scale, name, from, wide, half, wide == 1024);
  };
  return finish_with_bins(
      net, neck(net, scale, levels, false, in_neck), {.light = true, .task = task});
}

}  // namespace

Levels yolo11_stages(NetworkBuilder& net, int scale) {
  const auto halve = [&](const std::string& name, int from, std::int64_t wide) {
    const auto channels = scales.at(static_cast<std::size_t>(scale)).channels(wide);
    return conv(net, name, from, channels, 3, 2);
  };
  int x = halve("conv2", halve("conv1", net.input(), 64), 128);
  x = stage(net, scale, "stage2", x, 256, quarter, false);
  const int eighth = stage(net, scale, "stage3", halve("conv3", x, 256), 512, quarter, false);
  const int sixteenth = stage(net, scale, "stage4", halve("conv4", eighth, 512), 512, half, true);
  return {eighth,
          sixteenth,
          stage(net, scale, "stage5", halve("conv5", sixteenth, 1024), 1024, half, true)};
}

Network make_yolo11(const DetectionAsked& asked) {
  return of_task(asked, YoloTask::detect);
}
Network make_yolo11_seg(const DetectionAsked& asked) {
  return of_task(asked, YoloTask::segment);
}
Network make_yolo11_pose(const DetectionAsked& asked) {
  return of_task(asked, YoloTask::pose);
}
Network make_yolo11_obb(const DetectionAsked& asked) {
  return of_task(asked, YoloTask::obb);
}

}  // namespace rightsize::detection
