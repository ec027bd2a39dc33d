// The blocks of Ultralytics' YOLO networks; each returns the index of its last layer. A convolution
// here has no biases, a batch norm and SiLU behind it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "kernels/networks/builder.h"
#include "kernels/networks/detection/detection.h"

namespace rightsize::detection {

constexpr int coco_classes = 80;

// How the sizes of a family differ: in blocks of a stage, and channels of every layer.
struct YoloScale {
  double depth = 1;
  double width = 1;
  std::int64_t most_channels = 1024;  // before they are multiplied

  [[nodiscard]] std::int64_t channels(std::int64_t of_largest) const;  // a multiple of 8
  [[nodiscard]] int blocks(int of_largest) const;
};

[[nodiscard]] int conv(NetworkBuilder& net,
                       const std::string& name,
                       int from,
                       std::int64_t channels,
                       std::int64_t kernel = 1,
                       std::int64_t stride = 1);
// Each channel by itself.
[[nodiscard]] int depthwise(NetworkBuilder& net, const std::string& name, int from);

// Two convolutions, the first of `inner` channels, and the input added where that is wanted.
struct Bottleneck {
  std::int64_t inner = 0;
  std::int64_t first_kernel = 3;
  bool shortcut = true;
};

[[nodiscard]] int bottleneck(NetworkBuilder& net,
                             const std::string& name,
                             int from,
                             std::int64_t channels,
                             const Bottleneck& shape);

// Half of the channels through a row of bottlenecks, half past them.
[[nodiscard]] int c3(NetworkBuilder& net,
                     const std::string& name,
                     int from,
                     std::int64_t channels,
                     int blocks,
                     std::int64_t first_kernel,
                     bool shortcut);

// What a row of blocks hands on is joined with what each of them made. `block` makes one of as many
// channels as its input has.
using Block = std::function<int(const std::string& name, int from)>;
[[nodiscard]] int c2f(NetworkBuilder& net,
                      const std::string& name,
                      int from,
                      std::int64_t channels,
                      std::int64_t inner,
                      int blocks,
                      const Block& block);

// Such a row of bottlenecks or, `deep`, of rows of two of them, as YOLO11 has it.
[[nodiscard]] int c3k2(NetworkBuilder& net,
                       const std::string& name,
                       int from,
                       std::int64_t channels,
                       std::int64_t inner,
                       int blocks,
                       bool deep);

// A convolution without biases and its norm alone.
[[nodiscard]] int norm_conv(NetworkBuilder& net,
                            const std::string& name,
                            int from,
                            std::int64_t channels,
                            const Window& window = {});

// Attention from each position to all and a feed-forward part, both added to what came in.
[[nodiscard]] int attention_block(NetworkBuilder& net, const std::string& name, int from);

// Half of the channels through such blocks.
[[nodiscard]] int c2psa(NetworkBuilder& net, const std::string& name, int from, int blocks);

// Three poolings in a row, joined.
[[nodiscard]] int sppf(NetworkBuilder& net, const std::string& name, int from);

// Outputs at an eighth, a sixteenth and a thirty-second of the image's side.
using Levels = std::array<int, 3>;
using Stage = std::function<int(const std::string& name, int from, std::int64_t of_largest)>;

// Down to the smallest level and up again (Lin et al., CVPR 2017; Liu et al., CVPR 2018).
// `narrowed`: a 1x1 convolution halves the channels in front of each enlargement.
[[nodiscard]] Levels neck(NetworkBuilder& net,
                          const YoloScale& scale,
                          const Levels& levels,
                          bool narrowed,
                          const Stage& stage);

// The stages of YOLOv8 and of YOLO11 that those levels are made of; `scale`: the place among
// YOLO11's sizes.
[[nodiscard]] Levels yolov8_stages(NetworkBuilder& net, const YoloScale& scale);
[[nodiscard]] Levels yolo11_stages(NetworkBuilder& net, int scale);

// `scored`: the sides of boxes, or more features of each, and the scores, at every place.
// Ultralytics' programs fuse it before it infers (network.h).
constexpr std::int64_t box_sides = 4;
[[nodiscard]] Network finish_yolo(NetworkBuilder& net,
                                  int scored,
                                  Scoring scoring,
                                  std::int64_t box_features = box_sides);

// What a place says beside a box and its scores, as Ultralytics' tasks have it: 32 factors of the
// masks that the whole image is given (segment), 17 points of a person, each of them with how well
// it is seen (pose), or by what angle the box is turned (obb).
enum class YoloTask { detect, segment, pose, obb };

// Of what is published: COCO's, persons alone, or DOTA's.
[[nodiscard]] int classes_of(YoloTask task);

// What of the head is not the same in all families.
struct YoloHead {
  bool light = false;      // 3x3 convolutions of scores filter each channel by itself (YOLO11)
  std::int64_t bins = 16;  // of the distribution of a side of a box; 1: there is none
  YoloTask task = YoloTask::detect;
  int classes = 0;         // 0: those of the task
  bool of_levels = false;  // masks are made of all levels, not of the finest, and the branch of
                           // points is as wide as what it trains beside them asks for (YOLO26)

  [[nodiscard]] int scored() const { return classes > 0 ? classes : classes_of(task); }
};

// The head of YOLOv8 and YOLO11, free of anchors: four sides of a box as distributions over 16 bins
// (Li et al., "Generalized Focal Loss", NeurIPS 2020) and a score for each class.
[[nodiscard]] Network finish_with_bins(NetworkBuilder& net,
                                       const Levels& levels,
                                       const YoloHead& head);

}  // namespace rightsize::detection
