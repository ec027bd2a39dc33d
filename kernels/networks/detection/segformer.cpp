// SegFormer: Xie et al., "SegFormer: Simple and Efficient Design for Semantic Segmentation with
// Transformers", NeurIPS 2021, as its authors' code (NVlabs/SegFormer) shapes it, for the 150
// classes of ADE20K: positions attend to fewer ones, that a convolution makes, and a feed-forward
// part filters each channel between its matrices.
#include <array>
#include <string>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize::detection {
namespace {

constexpr int classes = 150;
constexpr std::array<std::int64_t, 4> heads{1, 2, 5, 8};
constexpr std::array<std::int64_t, 4> reductions{8, 4, 2, 1};

struct Form {
  std::array<std::int64_t, 4> widths;
  std::array<int, 4> blocks;
  std::int64_t decoder;
};

constexpr std::array<std::int64_t, 4> small{32, 64, 160, 256};
constexpr std::array<std::int64_t, 4> usual{64, 128, 320, 512};
constexpr std::array<Form, 6> forms{{{small, {2, 2, 2, 2}, 256},
                                     {usual, {2, 2, 2, 2}, 256},
                                     {usual, {3, 4, 6, 3}, 768},
                                     {usual, {3, 4, 18, 3}, 768},
                                     {usual, {3, 8, 27, 3}, 768},
                                     {usual, {3, 6, 40, 3}, 768}}};

int attended(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t side, std::size_t stage) {
  const auto width = net.shape(from).c;
  int read = from;
  if (const auto reduction = reductions[stage]; reduction > 1) {
    read = net.to_image(name + "_image", from, side, side);
    read = net.convolution(
        name + "_reduced", read, width, {.kernel = reduction, .stride = reduction}, true);
    read = net.layer_norm(name + "_reduced_norm", net.to_sequence(name + "_reduced_seq", read));
  }
  const int queries = net.linear(name + "_q", from, width, true);
  const int pairs = net.linear(name + "_kv", read, 2 * width, true);
  const int x = net.attention_to(name + "_attention", queries, pairs, heads[stage]);
  return net.linear(name + "_projection", x, width, true);
}

int fed(NetworkBuilder& net, const std::string& name, int from, std::int64_t side) {
  const auto width = net.shape(from).c;
  int x = net.linear(name + "_up", from, 4 * width, true);
  x = net.to_image(name + "_image", x, side, side);
  x = net.convolution(
      name + "_filter", x, 4 * width, {.kernel = 3, .pad = 1, .groups = 4 * width}, true);
  x = net.activation(name + "_gelu", net.to_sequence(name + "_sequence", x), Activation::gelu);
  return net.linear(name + "_down", x, width, true);
}

int stage_of(NetworkBuilder& net, const Form& form, std::size_t stage, int from) {
  constexpr float epsilon = 1e-6F;
  const auto name = "stage" + std::to_string(stage + 1);
  const Window window = stage == 0 ? Window{.kernel = 7, .stride = 4, .pad = 3}
                                   : Window{.kernel = 3, .stride = 2, .pad = 1};
  int x = net.convolution(name + "_patches", from, form.widths[stage], window, true);
  const auto side = net.shape(x).h;
  x = net.layer_norm(name + "_patches_norm", net.to_sequence(name + "_sequence", x));
  for (int i = 1; i <= form.blocks[stage]; ++i) {
    const auto own = name + "_" + std::to_string(i);
    const int y = net.layer_norm(own + "_norm1", x, epsilon);
    x = net.add(own + "_sum1", {x, attended(net, own, y, side, stage)});
    const int z = net.layer_norm(own + "_norm2", x, epsilon);
    x = net.add(own + "_sum2", {x, fed(net, own + "_mlp", z, side)});
  }
  x = net.layer_norm(name + "_norm", x, epsilon);
  return net.to_image(name + "_image", x, side, side);
}

}  // namespace

Network make_segformer(const DetectionAsked& asked) {
  const auto& form = forms.at(static_cast<std::size_t>(asked.scale));
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, classes);
  std::vector<int> levels;
  int x = net.input();
  for (std::size_t stage = 0; stage < form.widths.size(); ++stage) {
    x = stage_of(net, form, stage, x);
    const auto name = "decoder" + std::to_string(stage + 1);
    const int level = net.convolution(name, x, form.decoder, {}, true);
    levels.push_back(
        stage == 0 ? level : net.interpolate(name + "_enlarged", level, std::int64_t{1} << stage));
  }
  x = convolution_norm_relu(net, "fused", net.concat("levels", levels), form.decoder, {});
  x = net.convolution("scores", net.dropout("dropout", x, 0.1F), classes, {}, true);
  return net.finish_segmenter(net.interpolate("enlarged", x, 4), Optimizer::adam);
}

}  // namespace rightsize::detection
