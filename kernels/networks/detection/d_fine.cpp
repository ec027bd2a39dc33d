// D-FINE: Peng et al., "D-FINE: Redefine Regression Task in DETRs as Fine-grained Distribution
// Refinement", ICLR 2025, as its authors' code (Peterande/D-FINE) shapes it, for the 80 classes of
// COCO: RT-DETR (rt_detr.cpp) whose boxes' sides are distributions over 33 bins, which each layer
// of the decoder moves. A query looks at twelve places of all levels; here it takes one position,
// weighed by what says which. RepVGG blocks stay two convolutions. Left out: the scores of layers
// other than the last and what mends these by the distributions (1 500 parameters), the two numbers
// behind each ReLU of the smaller backbones, and queries that denoise.
#include <array>
#include <string>
#include <vector>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/hgnet_v2.h"
#include "kernels/networks/detection/residual_stages.h"
#include "kernels/networks/detection/transformer_parts.h"
#include "kernels/networks/detection/yolo_blocks.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize::detection {
namespace {

constexpr std::int64_t queries = 300;
constexpr std::int64_t places = detector_heads * 12;  // of a query
constexpr std::int64_t bins = 33;                     // of a side
constexpr float epsilon = 1e-5F;

struct Form {
  HgNet backbone;
  std::size_t levels;
  std::int64_t width;  // of the encoder
  std::int64_t fed;
  std::int64_t inner;  // of the blocks of its neck
  int blocks;
  std::int64_t decoder_width;
  std::int64_t decoder_fed;
  int decoders;
};

constexpr std::array<Form, 5> forms{{{hgnet_b0, 2, 128, 512, 21, 2, 128, 512, 3},
                                     {hgnet_b0, 3, 256, 1024, 64, 1, 256, 1024, 3},
                                     {hgnet_b2, 3, 256, 1024, 128, 2, 256, 1024, 4},
                                     {hgnet_b4, 3, 256, 1024, 128, 3, 256, 1024, 6},
                                     {hgnet_b5, 3, 384, 2048, 192, 3, 256, 1024, 6}}};

int silu_conv(NetworkBuilder& net,
              const std::string& name,
              int from,
              std::int64_t channels,
              Window window = {}) {
  return convolution_norm_active(net, name, from, channels, window, Activation::silu, epsilon);
}

int rep_block(NetworkBuilder& net, const std::string& name, int from) {
  const auto channels = net.shape(from).c;
  const int square = convolution_norm(net, name + "_3x3", from, channels, three_by_three());
  const int point = convolution_norm(net, name + "_1x1", from, channels, {});
  return net.activation(name + "_silu", net.add(name + "_sum", {square, point}), Activation::silu);
}

// Two matrices, one of them with blocks behind it, summed.
int part(NetworkBuilder& net, const Form& form, const std::string& name, int from) {
  int x = silu_conv(net, name + "_cv1", from, form.inner);
  for (int i = 1; i <= form.blocks; ++i) {
    x = rep_block(net, name + "_m" + std::to_string(i), x);
  }
  x = net.add(name + "_sum", {x, silu_conv(net, name + "_cv2", from, form.inner)});
  return silu_conv(net, name + "_conv", x, form.inner, three_by_three());
}

// Halves of what comes in, and what two parts in a row make of the second, joined (GELAN).
int fused(NetworkBuilder& net, const Form& form, const std::string& name, int from) {
  const int both = silu_conv(net, name + "_cv1", from, 2 * form.width);
  const int half = net.take_channels(name + "_half", both, form.width, form.width);
  const int first = part(net, form, name + "_part1", half);
  const int second = part(net, form, name + "_part2", first);
  return silu_conv(
      net, name + "_cv4", net.concat(name + "_cat", {both, first, second}), form.width);
}

int smaller(NetworkBuilder& net, const std::string& name, int from) {
  const auto channels = net.shape(from).c;
  const int x = convolution_norm(net, name, from, channels, {});
  return convolution_norm(net, name + "_each", x, channels, three_by_three(2, 1, channels));
}

// Attention at the smallest level, then down to the largest and up again.
std::vector<int> encoded(NetworkBuilder& net, const Form& form, std::vector<int> levels) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    levels[i] = convolution_norm(net, "level" + std::to_string(i), levels[i], form.width, {});
  }
  const auto last = levels.size() - 1;
  const auto top = net.shape(levels[last]);
  int x = attended_norm(net, "encoder", net.to_sequence("encoder_sequence", levels[last]));
  x = fed_norm(net, "encoder_mlp", x, {.width = form.fed, .activation = Activation::gelu});
  levels[last] = net.to_image("encoder_image", x, top.h, top.w);
  for (auto i = last; i > 0; --i) {
    const auto name = "down" + std::to_string(i - 1);
    levels[i] = convolution_norm(net, name + "_lateral", levels[i], form.width, {});
    x = net.concat(name + "_joined", {net.upsample(name + "_up", levels[i], 2), levels[i - 1]});
    levels[i - 1] = fused(net, form, name, x);
  }
  for (std::size_t i = 1; i < levels.size(); ++i) {
    const auto name = "up" + std::to_string(i);
    x = net.concat(name + "_joined", {smaller(net, name + "_smaller", levels[i - 1]), levels[i]});
    levels[i] = fused(net, form, name, x);
  }
  return levels;
}

int memory_of(NetworkBuilder& net, const Form& form, const std::vector<int>& levels) {
  std::vector<int> sequences;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto name = "memory" + std::to_string(i);
    const int x = form.width == form.decoder_width
                      ? levels[i]
                      : convolution_norm(net, name, levels[i], form.decoder_width, {});
    sequences.push_back(net.to_sequence(name + "_sequence", x));
  }
  return net.join_positions("memory", sequences);
}

int looked(NetworkBuilder& net, const std::string& name, int from, int memory) {
  const auto width = net.shape(from).c;
  const int offsets = net.linear(name + "_offsets", from, 2 * places, true);
  const int which =
      net.concat(name + "_which", {offsets, net.linear(name + "_weights", from, places, true)});
  return net.multiply(name + "_weighed",
                      net.take_positions(name + "_taken", memory, 0, queries),
                      net.take_channels(name + "_part", which, 0, width));
}

// Both weighed by gates that see both.
int gated(NetworkBuilder& net, const std::string& name, int from, int seen) {
  const auto width = net.shape(from).c;
  const int both = net.concat(name + "_both", {from, seen});
  const int gates = net.activation(
      name + "_sigmoid", net.linear(name, both, 2 * width, true), Activation::sigmoid);
  const int weighed = net.multiply(name + "_weighed", both, gates);
  return net.layer_norm(name + "_norm",
                        net.add(name + "_sum",
                                {net.take_channels(name + "_own", weighed, 0, width),
                                 net.take_channels(name + "_seen", weighed, width, width)}));
}

}  // namespace

Network make_d_fine(const DetectionAsked& asked) {
  const auto& form = forms.at(static_cast<std::size_t>(asked.scale));
  const auto width = form.decoder_width;
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, coco_classes + 1);
  auto levels = hg_stages(net, form.backbone);
  levels.erase(levels.begin(), levels.end() - static_cast<std::ptrdiff_t>(form.levels));
  const int memory = memory_of(net, form, encoded(net, form, levels));
  int x = net.layer_norm("found_norm", net.linear("found", memory, width, true));
  // Scores of all positions choose the best, of which alone boxes are made.
  const int found =
      net.concat("found_head", {x, net.linear("found_scores", x, coco_classes, true)});
  x = net.take_channels("queries", net.take_positions("best", found, 0, queries), 0, width);
  int boxes = perceptron(net, "found_boxes", x, width, 4, 3);
  x = net.add("placed", {x, perceptron(net, "places", boxes, 2 * width, width, 2)});
  int sides = -1;
  for (int i = 1; i <= form.decoders; ++i) {
    const auto name = "decoder" + std::to_string(i);
    x = attended_norm(net, name + "_self", x);
    x = gated(net, name + "_gate", x, looked(net, name, x, memory));
    x = fed_norm(net, name + "_mlp", x, {.width = form.decoder_fed, .activation = std::nullopt});
    if (i == 1) {
      boxes = net.add("begun_box", {boxes, perceptron(net, "begun", x, width, 4, 3)});
    }
    const int moved = perceptron(net, name + "_sides", x, width, 4 * bins, 3);
    sides = i == 1 ? moved : net.add(name + "_moved", {sides, moved});
    boxes = net.add(name + "_box", {boxes, net.expected_bin(name + "_bins", sides, 4, bins)});
  }
  const int scores = net.linear("scores", x, coco_classes, true);
  return net.finish_detector(net.concat("head", {boxes, scores}), 4, Scoring::sigmoid);
}

}  // namespace rightsize::detection
