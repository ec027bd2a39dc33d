// YOLO26: Ultralytics, 2026, as its yolo26.yaml has it, for the 80 classes of COCO, and with
// the heads of yolo26-seg.yaml, -pose and -obb. It has two heads while it trains, and one where it
// infers, which finds each object once: that is the one here.
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

Network of_task(const DetectionAsked& asked, YoloTask task) {
  const auto& scale = scales.at(static_cast<std::size_t>(asked.scale));
  const int blocks = scale.blocks(2);
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, classes_of(task) + 1);
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
  x = stage("stage2", x, 256, 4, false);
  const int eighth = stage("stage3", halve("conv3", x, 256), 512, 4, false);
  const int sixteenth = stage("stage4", halve("conv4", eighth, 512), 512, 2, true);
  x = stage("stage5", halve("conv5", sixteenth, 1024), 1024, 2, true);
  x = net.add("sppf_sum", {sppf(net, "sppf", x), x});
  x = c2psa(net, "c2psa", x, blocks);
  const auto in_neck = [&](const std::string& name, int from, std::int64_t wide) {
    if (wide < 1024) {
      return stage(name, from, wide, 2, true);
    }
    const auto inner = scale.channels(wide) / 2;
    return c2f(net, name, from, 2 * inner, inner, 1, [&](auto own, int y) {
      return attention_block(
          net, own + "_attention", bottleneck(net, own, y, inner, {inner / 2, 3, true}));
    });
  };
  auto network = finish_with_bins(net,
                                  neck(net, scale, {eighth, sixteenth, x}, false, in_neck),
                                  {.light = true, .bins = 1, .task = task, .of_levels = true});
  network.notes.emplace_back(
      task == YoloTask::segment
          ? "the head that it trains beside, and what gives each place a class, neither of which "
            "it "
            "infers with, are left out: training takes longer than said by what these are of the "
            "whole, a fifth at the most"
          : "the head that it trains beside, and does not infer with, is left out: training takes "
            "longer than said by what that is of the whole, a tenth at the most");
  return network;
}

}  // namespace

Network make_yolo26(const DetectionAsked& asked) {
  return of_task(asked, YoloTask::detect);
}
Network make_yolo26_seg(const DetectionAsked& asked) {
  return of_task(asked, YoloTask::segment);
}
Network make_yolo26_pose(const DetectionAsked& asked) {
  return of_task(asked, YoloTask::pose);
}
Network make_yolo26_obb(const DetectionAsked& asked) {
  return of_task(asked, YoloTask::obb);
}

}  // namespace rightsize::detection
