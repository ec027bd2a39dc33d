#include <algorithm>
#include <vector>

#include "kernels/networks/detection/yolo_blocks.h"

namespace rightsize::detection {
namespace {

constexpr std::int64_t sides = 4;

// `light`: YOLO11's, whose 3x3 convolutions filter each channel by itself.
int scores(NetworkBuilder& net, const std::string& name, int from, std::int64_t width, bool light) {
  int x = from;
  for (const auto* const part : {"_0", "_1"}) {
    const auto own = name + part;
    x = light ? conv(net, own, depthwise(net, own + "_dw", x), width) : conv(net, own, x, width, 3);
  }
  return net.convolution(name + "_2", x, coco_classes, {}, true);
}

int box(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t width, std::int64_t bins) {
  int x = conv(net, name + "_0", from, width, 3);
  x = conv(net, name + "_1", x, width, 3);
  return net.convolution(name + "_2", x, sides * bins, {}, true);
}

}  // namespace

Network finish_yolo(NetworkBuilder& net, int scored, Scoring scoring) {
  auto network = net.finish_detector(scored, sides, scoring);
  network.fused_to_infer = true;
  return network;
}

Network finish_with_bins(NetworkBuilder& net, const Levels& levels, const YoloHead& head) {
  const auto finest = net.shape(levels[0]).c;
  const auto box_width = std::max<std::int64_t>({16, finest / 4, sides * head.bins});
  const auto score_width = std::max(finest, std::min<std::int64_t>(coco_classes, 100));
  std::vector<int> sequences;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto level = std::to_string(i + 3);
    const int x =
        net.concat("head_cat" + level,
                   {box(net, "head_box" + level, levels[i], box_width, head.bins),
                    scores(net, "head_score" + level, levels[i], score_width, head.light)});
    sequences.push_back(net.to_sequence("head_sequence" + level, x));
  }
  const int all = net.join_positions("head", sequences);
  const int scored = head.bins > 1 ? net.expected_bin("dfl", all, sides, head.bins) : all;
  return finish_yolo(net, scored, Scoring::sigmoid);
}

}  // namespace rightsize::detection
