// RetinaNet: Lin et al., "Focal Loss for Dense Object Detection", ICCV 2017, in torchvision's form:
// a feature pyramid (Lin et al., CVPR 2017) of five levels, and heads of four convolutions each
// that have the same weights at all of them. Nine boxes at every position. torchvision freezes the
// backbone's batch norms and does not count them: 53 120 parameters of ResNet-50 that are counted
// here. The focal loss weighs what a binary cross-entropy gives, which is the work that is counted.
#include <vector>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/residual_stages.h"

namespace rightsize::detection {
namespace {

constexpr std::int64_t width = 256;
constexpr std::int64_t boxes_each = 9;
constexpr std::int64_t sides = 4;
constexpr int convolutions = 4;
constexpr int coco_labels = 91;  // COCO's numbers of classes leave out some, torchvision does not
constexpr int open_images_classes = 264;
constexpr Window three{.kernel = 3, .pad = 1};
constexpr Window three_down{.kernel = 3, .stride = 2, .pad = 1};

std::vector<int> pyramid(NetworkBuilder& net, const std::vector<int>& stages) {
  int above = -1;
  std::vector<int> levels;
  for (std::size_t i = stages.size(); i-- > 1;) {
    const auto name = "fpn" + std::to_string(i + 2);
    int x = net.convolution(name + "_inner", stages[i], width, {}, true);
    if (above >= 0) {
      x = net.add(name + "_sum", {x, net.upsample(name + "_up", above, 2)});
    }
    above = x;
    levels.insert(levels.begin(), net.convolution(name + "_layer", x, width, three, true));
  }
  levels.push_back(net.convolution("fpn6", levels.back(), width, three_down, true));
  const int active = net.relu("fpn6_relu", levels.back());
  levels.push_back(net.convolution("fpn7", active, width, three_down, true));
  return levels;
}

// Of every level, by the weights of the first.
int head(NetworkBuilder& net,
         const std::string& name,
         const std::vector<int>& levels,
         std::int64_t features) {
  std::vector<int> owners;
  std::vector<int> sequences;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto own = name + std::to_string(level + 3);
    int x = levels[level];
    for (int i = 0; i <= convolutions; ++i) {
      const auto layer = own + "_" + std::to_string(i);
      const auto channels = i < convolutions ? width : boxes_each * features;
      x = level == 0 ? net.convolution(layer, x, channels, three, true)
                     : net.tied_convolution(layer, x, owners[static_cast<std::size_t>(i)]);
      if (level == 0) {
        owners.push_back(x);
      }
      x = i < convolutions ? net.relu(layer + "_relu", x) : x;
    }
    sequences.push_back(net.to_sequence(own + "_sequence", x, boxes_each));
  }
  return net.join_positions(name, sequences);
}

Network retinanet(const DetectionAsked& asked, const ResidualShape& backbone, int classes) {
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, classes + 1);
  const auto levels = pyramid(net, residual_stages(net, backbone));
  const int scores = head(net, "scores", levels, classes);
  const int boxes = head(net, "boxes", levels, sides);
  return net.finish_detector(net.concat("head", {boxes, scores}), sides, Scoring::sigmoid);
}

}  // namespace

Network make_retinanet(const DetectionAsked& asked) {
  return retinanet(asked, {}, coco_labels);
}

// As MLPerf trains it, for the 264 classes of Open Images that it chose.
Network make_retinanet_resnext(const DetectionAsked& asked) {
  return retinanet(asked, resnext50, open_images_classes);
}

}  // namespace rightsize::detection
