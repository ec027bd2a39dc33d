#include <algorithm>
#include <string>
#include <vector>

#include "kernels/networks/detection/yolo_blocks.h"

namespace rightsize::detection {
namespace {

// `light`: YOLO11's, whose 3x3 convolutions filter each channel by itself.
int scores(NetworkBuilder& net,
           const std::string& name,
           int from,
           std::int64_t width,
           const YoloHead& head) {
  int x = from;
  for (const auto* const part : {"_0", "_1"}) {
    const auto own = name + part;
    x = head.light ? conv(net, own, depthwise(net, own + "_dw", x), width)
                   : conv(net, own, x, width, 3);
  }
  return net.convolution(name + "_2", x, head.scored(), {}, true);
}

constexpr std::int64_t points = 17;  // of a person

// Two convolutions and a matrix.
int branch(NetworkBuilder& net,
           const std::string& name,
           int from,
           std::int64_t width,
           std::int64_t features) {
  int x = conv(net, name + "_0", from, width, 3);
  x = conv(net, name + "_1", x, width, 3);
  return net.convolution(name + "_2", x, features, {}, true);
}

// Features of what is said beside a box.
std::int64_t beside_box(YoloTask task) {
  switch (task) {
    case YoloTask::segment:
      return 32;
    case YoloTask::pose:
      return points * 3;
    case YoloTask::obb:
      return 1;
    default:
      return 0;
  }
}

// The finest level and the others, enlarged, in one.
int of_all(NetworkBuilder& net, const Levels& levels) {
  const auto channels = net.shape(levels[0]).c;
  int x = levels[0];
  for (std::size_t i = 1; i < levels.size(); ++i) {
    const auto name = "proto_level" + std::to_string(i + 3);
    const int refined = conv(net, name, levels[i], channels);
    x = net.add(name + "_sum", {x, net.upsample(name + "_up", refined, std::int64_t{1} << i)});
  }
  return conv(net, "proto_fused", x, channels, 3);
}

// What all masks are sums of, at a quarter of a side (Bolya et al., "YOLACT", ICCV 2019). Their
// means are added to the factors of the finest level, so that there is one loss.
int with_prototypes(NetworkBuilder& net, int factors, const Levels& levels, bool of_levels) {
  const auto channels = net.shape(levels[0]).c;
  const int from = of_levels ? of_all(net, levels) : levels[0];
  int x = conv(net, "proto_cv1", from, channels, 3);
  x = net.transposed_convolution("proto_enlarged", x, channels, 2, true);
  x = conv(net, "proto_cv2", x, channels, 3);
  x = conv(net, "proto_cv3", x, beside_box(YoloTask::segment));
  return net.shift("head_masked", factors, net.global_average_pool("proto_mean", x));
}

std::vector<std::string> notes_of(YoloTask task) {
  if (task != YoloTask::segment) {
    return {};
  }
  return {
      "the sums that make the masks of found objects (1.6 MFLOPs of each), and what training adds "
      "of them, are left out"};
}

}  // namespace

int classes_of(YoloTask task) {
  constexpr int of_dota = 15;
  return task == YoloTask::pose ? 1 : task == YoloTask::obb ? of_dota : coco_classes;
}

Network finish_yolo(NetworkBuilder& net, int scored, Scoring scoring, std::int64_t box_features) {
  auto network = net.finish_detector(scored, box_features, scoring);
  network.fused_to_infer = true;
  return network;
}

Network finish_with_bins(NetworkBuilder& net, const Levels& levels, const YoloHead& head) {
  const auto finest = net.shape(levels[0]).c;
  const auto beside = beside_box(head.task);
  const auto box_width = std::max<std::int64_t>({16, finest / 4, box_sides * head.bins});
  const auto score_width = std::max<std::int64_t>(finest, std::min(head.scored(), 100));
  const bool uncertain = head.of_levels && head.task == YoloTask::pose;
  const auto beside_width = std::max(finest / 4, beside + (uncertain ? points * 2 : 0));
  std::vector<int> sequences;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto level = std::to_string(i + 3);
    std::vector<int> parts{
        branch(net, "head_box" + level, levels[i], box_width, box_sides * head.bins)};
    if (beside > 0) {
      const int x = branch(net, "head_beside" + level, levels[i], beside_width, beside);
      const bool masked = head.task == YoloTask::segment && i == 0;
      parts.push_back(masked ? with_prototypes(net, x, levels, head.of_levels) : x);
    }
    parts.push_back(scores(net, "head_score" + level, levels[i], score_width, head));
    sequences.push_back(
        net.to_sequence("head_sequence" + level, net.concat("head_cat" + level, parts)));
  }
  const int all = net.join_positions("head", sequences);
  const int scored = head.bins > 1 ? net.expected_bin("dfl", all, box_sides, head.bins) : all;
  auto network = finish_yolo(net, scored, Scoring::sigmoid, box_sides + beside);
  network.notes = notes_of(head.task);
  return network;
}

}  // namespace rightsize::detection
