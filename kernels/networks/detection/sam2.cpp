// SAM 2's image encoder: Ravi et al., "SAM 2: Segment Anything in Images and Videos", ICLR 2025, as
// its hieradet.py and image_encoder.py have it, at 1024 pixels: Hiera, whose windows are cut in
// every block, three blocks attending to all, and a pyramid of 256 features at a quarter, an eighth
// and a sixteenth of the side. SAM 2.1 has the same. The means of the two larger levels are added
// to the smallest, so that there is one loss. Positions of windows and of the image, added once,
// have no layer (0.1 % of the parameters), nor have positions that fill up windows at the border.
#include <array>
#include <string>

#include "kernels/networks/classification/hiera.h"
#include "kernels/networks/detection/families.h"

namespace rightsize::detection {
namespace {

constexpr int features = 256;

constexpr std::array<HieraShape, 4> forms{{{.width = 96,
                                            .heads = 1,
                                            .blocks = {1, 2, 7, 2},
                                            .windows = {8, 4, 14, 7},
                                            .whole = {5, 7, 9},
                                            .cuts = true},
                                           {.width = 96,
                                            .heads = 1,
                                            .blocks = {1, 2, 11, 2},
                                            .windows = {8, 4, 14, 7},
                                            .whole = {7, 10, 13},
                                            .cuts = true},
                                           {.width = 112,
                                            .heads = 2,
                                            .blocks = {2, 3, 16, 3},
                                            .windows = {8, 4, 14, 7},
                                            .whole = {12, 16, 20},
                                            .cuts = true},
                                           {.width = 144,
                                            .heads = 2,
                                            .blocks = {2, 6, 36, 4},
                                            .windows = {8, 4, 16, 8},
                                            .whole = {23, 33, 43},
                                            .cuts = true}}};

int level(NetworkBuilder& net, const std::string& name, int from, std::int64_t side) {
  const int x = net.to_image(name + "_image", from, side, side);
  return net.convolution(name, x, features, {}, true);
}

}  // namespace

Network make_sam2(const DetectionAsked& asked) {
  const auto& form = forms.at(static_cast<std::size_t>(asked.scale));
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, features);
  const auto stages = hiera_stages(net, form, hiera_patches(net, form));
  const int top = level(net, "level5", stages[3], asked.size / 32);
  int x = level(net, "level4", stages[2], asked.size / 16);
  x = net.add("level4_sum", {x, net.upsample("level5_up", top, 2)});
  for (std::size_t i : {1, 0}) {
    const auto name = "level" + std::to_string(i + 2);
    const int finer = level(net, name, stages[i], asked.size / (std::int64_t{4} << i));
    x = net.shift(name + "_shift", x, net.global_average_pool(name + "_mean", finer));
  }
  auto network = net.finish_segmenter(x, Optimizer::adam);
  network.notes.emplace_back(
      "it is the image encoder alone, without what reads prompts and what remembers earlier images "
      "of a video (12 M parameters), and ends in 256 features of each place; in training the loss "
      "counts as a softmax over these, as little work; windows are so many positions in a row "
      "here");
  return network;
}

}  // namespace rightsize::detection
