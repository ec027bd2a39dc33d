// Faster R-CNN (Ren et al., NeurIPS 2015) and Mask R-CNN (He et al., ICCV 2017) with ResNet-50 and
// a feature pyramid, as torchvision has them, for the 91 labels of COCO. Of what 1000 regions show,
// 7 x 7 features each, stands as many positions of the two largest levels in a row; of 100 found
// objects 14 x 14, whose masks' scores are averaged onto those of all regions, so that there is one
// loss. Choosing regions is left out.
#include <string>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/residual_stages.h"

namespace rightsize::detection {
namespace {

constexpr int labels = 91;
constexpr std::int64_t sides = 4;
constexpr std::int64_t width = 256;
constexpr std::int64_t anchors = 3;
constexpr std::int64_t regions = 1000;
constexpr std::int64_t objects = 100;

std::vector<int> pyramid(NetworkBuilder& net, const std::vector<int>& stages) {
  int above = -1;
  std::vector<int> levels;
  for (std::size_t i = stages.size(); i-- > 0;) {
    const auto name = "fpn" + std::to_string(i + 2);
    int x = net.convolution(name + "_inner", stages[i], width, {}, true);
    if (above >= 0) {
      x = net.add(name + "_sum", {x, net.upsample(name + "_up", above, 2)});
    }
    above = x;
    levels.insert(levels.begin(),
                  net.convolution(name + "_layer", x, width, three_by_three(), true));
  }
  levels.push_back(net.max_pool("fpn6", levels.back(), {.stride = 2}));
  return levels;
}

// Where objects may be, by the weights of the first level at all.
int proposed(NetworkBuilder& net, const std::vector<int>& levels) {
  std::vector<int> sequences;
  std::vector<int> owners;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto name = "rpn" + std::to_string(i + 2);
    int x = levels[i];
    const std::int64_t channels[] = {width, anchors * (1 + sides)};
    for (std::size_t part = 0; part < std::size(channels); ++part) {
      const auto own = name + "_" + std::to_string(part);
      const Window window = part == 0 ? three_by_three() : Window{};
      x = i == 0 ? net.convolution(own, x, channels[part], window, true)
                 : net.tied_convolution(own, x, owners[part]);
      if (i == 0) {
        owners.push_back(x);
      }
      x = part == 0 ? net.relu(own + "_relu", x) : x;
    }
    sequences.push_back(net.to_sequence(name + "_sequence", x));
  }
  return net.take_positions("proposed", net.join_positions("rpn", sequences), 0, regions);
}

// So many windows of a side, one below the other.
int cut(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t count, std::int64_t side) {
  const int x = net.take_positions(name + "_cut", from, 0, count * side * side);
  return net.to_image(name + "_image", x, count * side, side);
}

int masks(NetworkBuilder& net, int from) {
  int x = cut(net, "masks", from, objects, 14);
  for (int i = 1; i <= 4; ++i) {
    const auto name = "mask" + std::to_string(i);
    x = net.relu(name + "_relu", net.convolution(name, x, width, three_by_three(), true));
  }
  x = net.relu("mask_relu", net.transposed_convolution("mask_enlarged", x, width, 2, true));
  return net.global_average_pool("mask_mean", net.convolution("mask_scores", x, labels, {}, true));
}

Network rcnn(const DetectionAsked& asked, bool masked) {
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, labels);
  const auto levels = pyramid(net, residual_stages(net, {}));
  const int found = proposed(net, levels);
  const int seen = net.join_positions(
      "seen",
      {net.to_sequence("fpn2_sequence", levels[0]), net.to_sequence("fpn3_sequence", levels[1])});
  int x = cut(net, "regions", seen, regions, 7);
  x = net.convolution("fc6", x, 1024, {.kernel = 7, .stride = 7}, true);
  x = net.to_sequence("region_sequence", net.relu("fc6_relu", x));
  x = net.relu("fc7_relu", net.linear("fc7", x, 1024, true));
  const int boxes = net.linear("boxes", x, sides * labels, true);
  int scores = net.linear("scores", x, labels, true);
  if (masked) {
    scores = net.shift("masked", scores, masks(net, seen));
  }
  const int all = net.concat("head", {found, boxes, scores});
  return net.finish_detector(all, net.shape(all).c - labels, Scoring::softmax);
}

}  // namespace

Network make_faster_rcnn(const DetectionAsked& asked) {
  return rcnn(asked, false);
}
Network make_mask_rcnn(const DetectionAsked& asked) {
  return rcnn(asked, true);
}

}  // namespace rightsize::detection
