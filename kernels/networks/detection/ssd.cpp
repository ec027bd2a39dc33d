// SSD: Liu et al., "SSD: Single Shot MultiBox Detector", ECCV 2016, in NVIDIA's form on ResNet-50:
// its last stage is left out, the one before keeps its size, and five blocks lead down from 38 x 38
// to one position. 8732 boxes, 81 scores each, one of them for no object.
#include <array>
#include <vector>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/residual_stages.h"

namespace rightsize::detection {
namespace {

constexpr int classes = 81;
constexpr std::int64_t sides = 4;

struct Level {
  std::int64_t inner = 0;  // channels between the two convolutions of the block that makes it
  std::int64_t channels = 0;
  std::int64_t stride = 1;
  std::int64_t pad = 0;
  std::int64_t boxes = 4;  // at each position
};

constexpr std::int64_t boxes_of_backbone = 4;
constexpr std::array<Level, 5> levels{{{256, 512, 2, 1, 6},
                                       {256, 512, 2, 1, 6},
                                       {128, 256, 2, 1, 6},
                                       {128, 256, 1, 0, 4},
                                       {128, 256, 1, 0, 4}}};

// The boxes and the scores of one level, as two sequences.
struct Head {
  std::vector<int> boxes, scores;

  void add(NetworkBuilder& net, int from, std::int64_t each) {
    const auto name = std::to_string(boxes.size());
    const Window window{.kernel = 3, .pad = 1};
    const int box = net.convolution("box" + name, from, each * sides, window, true);
    const int score = net.convolution("score" + name, from, each * classes, window, true);
    boxes.push_back(net.to_sequence("box_sequence" + name, box, each));
    scores.push_back(net.to_sequence("score_sequence" + name, score, each));
  }
};

}  // namespace

Network make_ssd300(const DetectionAsked& asked) {
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, classes);
  int x = residual_stages(net, {.blocks = {3, 4, 6}, .strides = {1, 2, 1, 1}}).back();
  Head head;
  head.add(net, x, boxes_of_backbone);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto& level = levels[i];
    const auto name = "extra" + std::to_string(i + 1);
    x = conv_norm_relu(net, name + "_a", x, level.inner, {});
    auto window = three_by_three(level.stride);
    window.pad = level.pad;
    x = conv_norm_relu(net, name + "_b", x, level.channels, window);
    head.add(net, x, level.boxes);
  }
  const int boxes = net.join_positions("boxes", head.boxes);
  const int scores = net.join_positions("scores", head.scores);
  return net.finish_detector(net.concat("head", {boxes, scores}), sides, Scoring::softmax);
}

}  // namespace rightsize::detection
