// RegNetY: Radosavovic et al., "Designing Network Design Spaces", CVPR 2020: depths, widths and
// group widths of its table of RegNetY models, in torchvision's form, which makes the first stage
// of the 8 GF model a multiple of four groups wide (224, not 168). Excitations squeeze to a quarter
// of what goes into the block.
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

constexpr float epsilon = 1e-5F;

struct Form {
  std::array<int, 4> blocks;
  std::array<std::int64_t, 4> widths;
  std::int64_t group;  // channels of one
};

int convolution_relu(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, Window window) {
  return net.relu(name + "_relu", convolution_norm(net, name, from, channels, window, epsilon));
}

int block(NetworkBuilder& net,
          const std::string& name,
          int from,
          std::int64_t width,
          std::int64_t group,
          std::int64_t stride) {
  const auto in_channels = net.shape(from).c;
  const Window grouped{.kernel = 3, .stride = stride, .pad = 1, .groups = width / group};
  int x = convolution_relu(net, name + "_a", from, width, {});
  x = convolution_relu(net, name + "_b", x, width, grouped);
  x = squeeze_and_excite(net, name, x, {.squeezed = in_channels / 4});
  x = convolution_norm(net, name + "_c", x, width, {}, epsilon);
  const bool same = stride == 1 && in_channels == width;
  const int shortcut =
      same ? from
           : convolution_norm(net, name + "_shortcut", from, width, {.stride = stride}, epsilon);
  return net.relu(name + "_relu", net.add(name + "_sum", {x, shortcut}));
}

// `size`: as timm writes it, 016 for 1.6 GF, which without its point would be 16.
Network make_regnety(const std::string& size, const Form& form) {
  NetworkBuilder net("regnety-" + size, "RegNetY-" + size, {3, 224, 224}, 1000);
  int x = convolution_relu(net, "stem", net.input(), 32, {.kernel = 3, .stride = 2, .pad = 1});
  for (std::size_t stage = 0; stage < form.blocks.size(); ++stage) {
    for (int i = 0; i < form.blocks[stage]; ++i) {
      const auto name = fmt::format("stage{}_{}", stage + 1, i + 1);
      x = block(net, name, x, form.widths[stage], form.group, i == 0 ? 2 : 1);
    }
  }
  x = net.global_average_pool("pool", x);
  return net.finish(net.fully_connected("fc", x, 1000));
}

}  // namespace

Network make_regnety_016() {
  return make_regnety("016", {.blocks = {2, 6, 17, 2}, .widths = {48, 120, 336, 888}, .group = 24});
}
Network make_regnety_032() {
  return make_regnety("032",
                      {.blocks = {2, 5, 13, 1}, .widths = {72, 216, 576, 1512}, .group = 24});
}
Network make_regnety_080() {
  return make_regnety("080",
                      {.blocks = {2, 4, 10, 1}, .widths = {224, 448, 896, 2016}, .group = 56});
}
Network make_regnety_160() {
  return make_regnety("160",
                      {.blocks = {2, 4, 11, 1}, .widths = {224, 448, 1232, 3024}, .group = 112});
}
Network make_regnety_320() {
  return make_regnety("320",
                      {.blocks = {2, 5, 12, 1}, .widths = {232, 696, 1392, 3712}, .group = 232});
}

}  // namespace rightsize
