// RegNetX and Y: Radosavovic et al., "Designing Network Design Spaces", CVPR 2020: depths, widths
// and group widths of its tables, which timm's regnet.py works out of four numbers each; of
// RegNetY's 1.6, 3.2, 8, 16 and 32 GF models in torchvision's form, which makes the first stage of
// the 8 GF model a multiple of four groups wide (224, not 168). Y is X with excitations, which
// squeeze to a quarter of what goes into the block.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/families.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

constexpr float epsilon = 1e-5F;

struct Form {
  std::array<int, 4> blocks;
  std::array<std::int64_t, 4> widths;
  std::int64_t group;  // channels of one, where the stage has as many
  bool excites = true;
};

int convolution_relu(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, Window window) {
  return net.relu(name + "_relu", convolution_norm(net, name, from, channels, window, epsilon));
}

int block(NetworkBuilder& net,
          const std::string& name,
          int from,
          std::int64_t width,
          const Form& form,
          std::int64_t stride) {
  const auto in_channels = net.shape(from).c;
  const auto groups = width / std::min(form.group, width);
  const Window grouped{.kernel = 3, .stride = stride, .pad = 1, .groups = groups};
  int x = convolution_relu(net, name + "_a", from, width, {});
  x = convolution_relu(net, name + "_b", x, width, grouped);
  if (form.excites) {
    x = squeeze_and_excite(net, name, x, {.squeezed = in_channels / 4});
  }
  x = convolution_norm(net, name + "_c", x, width, {}, epsilon);
  const bool same = stride == 1 && in_channels == width;
  const int shortcut =
      same ? from
           : convolution_norm(net, name + "_shortcut", from, width, {.stride = stride}, epsilon);
  return net.relu(name + "_relu", net.add(name + "_sum", {x, shortcut}));
}

// `size`: as timm writes it, 016 for 1.6 GF, which without its point would be 16.
Network make_regnet(const std::string& size, const Form& form) {
  const bool y = form.excites;
  NetworkBuilder net((y ? "regnety-" : "regnetx-") + size,
                     (y ? "RegNetY-" : "RegNetX-") + size,
                     {3, 224, 224},
                     1000);
  int x = convolution_relu(net, "stem", net.input(), 32, {.kernel = 3, .stride = 2, .pad = 1});
  for (std::size_t stage = 0; stage < form.blocks.size(); ++stage) {
    for (int i = 0; i < form.blocks[stage]; ++i) {
      const auto name = fmt::format("stage{}_{}", stage + 1, i + 1);
      x = block(net, name, x, form.widths[stage], form, i == 0 ? 2 : 1);
    }
  }
  x = net.global_average_pool("pool", x);
  return net.finish(net.fully_connected("fc", x, 1000));
}

struct Sized {
  const char* size;
  Form form;
};

// The order of classifiers.cpp.
constexpr std::array<Sized, 21> others{{
    {"002", {{1, 1, 4, 7}, {24, 56, 152, 368}, 8, false}},
    {"004", {{1, 2, 7, 12}, {32, 64, 160, 384}, 16, false}},
    {"006", {{1, 3, 5, 7}, {48, 96, 240, 528}, 24, false}},
    {"008", {{1, 3, 7, 5}, {64, 128, 288, 672}, 16, false}},
    {"016", {{2, 4, 10, 2}, {72, 168, 408, 912}, 24, false}},
    {"032", {{2, 6, 15, 2}, {96, 192, 432, 1008}, 48, false}},
    {"040", {{2, 5, 14, 2}, {80, 240, 560, 1360}, 40, false}},
    {"064", {{2, 4, 10, 1}, {168, 392, 784, 1624}, 56, false}},
    {"080", {{2, 5, 15, 1}, {80, 240, 720, 1920}, 120, false}},
    {"120", {{2, 5, 11, 1}, {224, 448, 896, 2240}, 112, false}},
    {"160", {{2, 6, 13, 1}, {256, 512, 896, 2048}, 128, false}},
    {"320", {{2, 7, 13, 1}, {336, 672, 1344, 2520}, 168, false}},
    {"002", {{1, 1, 4, 7}, {24, 56, 152, 368}, 8}},
    {"004", {{1, 3, 6, 6}, {48, 104, 208, 440}, 8}},
    {"006", {{1, 3, 7, 4}, {48, 112, 256, 608}, 16}},
    {"008", {{1, 3, 8, 2}, {64, 128, 320, 768}, 16}},
    {"040", {{2, 6, 12, 2}, {128, 192, 512, 1088}, 64}},
    {"064", {{2, 7, 14, 2}, {144, 288, 576, 1296}, 72}},
    {"120", {{2, 5, 11, 1}, {224, 448, 896, 2240}, 112}},
    {"640", {{2, 5, 12, 1}, {328, 984, 1968, 4920}, 328}},
    {"1280", {{2, 7, 17, 1}, {528, 1056, 2904, 7392}, 264}},
}};

}  // namespace

Network make_regnet(int which) {
  const auto& [size, form] = others.at(static_cast<std::size_t>(which));
  return make_regnet(size, form);
}

Network make_regnety_016() {
  return make_regnet("016", {.blocks = {2, 6, 17, 2}, .widths = {48, 120, 336, 888}, .group = 24});
}
Network make_regnety_032() {
  return make_regnet("032", {.blocks = {2, 5, 13, 1}, .widths = {72, 216, 576, 1512}, .group = 24});
}
Network make_regnety_080() {
  return make_regnet("080",
                     {.blocks = {2, 4, 10, 1}, .widths = {224, 448, 896, 2016}, .group = 56});
}
Network make_regnety_160() {
  return make_regnet("160",
                     {.blocks = {2, 4, 11, 1}, .widths = {224, 448, 1232, 3024}, .group = 112});
}
Network make_regnety_320() {
  return make_regnet("320",
                     {.blocks = {2, 5, 12, 1}, .widths = {232, 696, 1392, 3712}, .group = 232});
}

}  // namespace rightsize
