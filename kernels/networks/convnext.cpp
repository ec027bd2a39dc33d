// ConvNeXt: Liu et al., "A ConvNet for the 2020s", CVPR 2022. A block filters each channel by
// itself, 7x7, and then works on every position as a transformer's feed-forward part does. What is
// said of torchvision's form is all but its layer scale, one learned factor for each channel of a
// branch, which no layer here is: its parameters, a few thousand, are missing from the count.
// Stochastic depth has no layer either. ConvNeXt V2 (Woo et al., CVPR 2023) has no layer scale;
// what it normalises instead, each channel over all positions by its size, is a group norm of one
// channel a group here: as many parameters, and the same passes over memory.
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

constexpr float epsilon = 1e-6F;

// A layer norm over the channels of each position of an image.
int channel_norm(NetworkBuilder& net, const std::string& name, int from) {
  const auto shape = net.shape(from);
  int x = net.to_sequence(name + "_sequence", from);
  x = net.layer_norm(name, x, epsilon);
  return net.to_image(name + "_image", x, shape.h, shape.w);
}

// What each channel of a feed-forward part makes weighed by how much it makes elsewhere (GRN): its
// length over all positions, by which it is multiplied, scaled and shifted, and added to. The
// length is a mean here, what divides it by the others' left out; a batch norm has the scale and
// the shift.
int responding_part(NetworkBuilder& net, const std::string& name, int from) {
  const auto features = net.shape(from).c;
  int x = net.linear(name + "_up", from, 4 * features, true);
  x = net.activation(name + "_activation", x, Activation::gelu);
  const int weighed =
      net.multiply(name + "_weighed", x, net.global_average_pool(name + "_response", x));
  x = net.add(name + "_responding", {net.batch_norm(name + "_scaled", weighed), x});
  return net.linear(name + "_down", x, features, true);
}

int block(NetworkBuilder& net, const std::string& name, bool responds, int from) {
  const auto shape = net.shape(from);
  const Window filter{.kernel = 7, .pad = 3, .groups = shape.c};
  int x = net.convolution(name + "_depthwise", from, shape.c, filter, true);
  x = net.to_sequence(name + "_sequence", x);
  x = net.layer_norm(name + "_norm", x, epsilon);
  x = responds ? responding_part(net, name, x) : feed_forward(net, name, x, {.width = 4 * shape.c});
  return net.add(name + "_sum", {net.to_image(name + "_image", x, shape.h, shape.w), from});
}

// `width` is that of the first stage; each next one is twice as wide at half the size.
Network make_convnext(NetworkBuilder net,
                      std::int64_t width,
                      const std::array<int, 4>& stage_blocks,
                      bool responds = false) {
  int x = net.convolution("stem", net.input(), width, {.kernel = 4, .stride = 4}, true);
  x = channel_norm(net, "stem_norm", x);
  for (std::size_t stage = 0; stage < stage_blocks.size(); ++stage) {
    if (stage > 0) {
      const auto name = fmt::format("down{}", stage);
      x = channel_norm(net, name + "_norm", x);
      x = net.convolution(name, x, width << stage, {.kernel = 2, .stride = 2}, true);
    }
    for (int i = 0; i < stage_blocks[stage]; ++i) {
      x = block(net, fmt::format("stage{}_{}", stage + 1, i + 1), responds, x);
    }
  }
  x = net.layer_norm("norm", net.global_average_pool("pool", x), epsilon);
  return net.finish(net.fully_connected("head", x, 1000), Optimizer::adam);
}

struct Sized {
  const char* name;
  const char* title;
  std::int64_t width;
  std::array<int, 4> blocks;
  bool responds;
  std::int64_t image = 224;
};

// As timm's convnext.py has them; the order of classifiers.cpp.
constexpr std::array<Sized, 10> others{{
    {"convnext-atto", "ConvNeXt-Atto", 40, {2, 2, 6, 2}, false},
    {"convnext-femto", "ConvNeXt-Femto", 48, {2, 2, 6, 2}, false},
    {"convnext-pico", "ConvNeXt-Pico", 64, {2, 2, 6, 2}, false},
    {"convnext-nano", "ConvNeXt-Nano", 80, {2, 2, 8, 2}, false},
    {"convnext-v2-atto", "ConvNeXt V2-Atto", 40, {2, 2, 6, 2}, true},
    {"convnext-v2-femto", "ConvNeXt V2-Femto", 48, {2, 2, 6, 2}, true},
    {"convnext-v2-pico", "ConvNeXt V2-Pico", 64, {2, 2, 6, 2}, true},
    {"convnext-v2-nano", "ConvNeXt V2-Nano", 80, {2, 2, 8, 2}, true},
    {"convnext-v2-small", "ConvNeXt V2-Small", 96, {3, 3, 27, 3}, true},
    {"convnext-xxlarge", "ConvNeXt-XXLarge", 384, {3, 4, 30, 3}, false, 256},
}};

}  // namespace

Network make_convnext(int which) {
  const auto& sized = others.at(static_cast<std::size_t>(which));
  return make_convnext({sized.name, sized.title, {3, sized.image, sized.image}, 1000},
                       sized.width,
                       sized.blocks,
                       sized.responds);
}

Network make_convnext_tiny() {
  return make_convnext({"convnext-tiny", "ConvNeXt-Tiny", {3, 224, 224}, 1000}, 96, {3, 3, 9, 3});
}
Network make_convnext_small() {
  return make_convnext(
      {"convnext-small", "ConvNeXt-Small", {3, 224, 224}, 1000}, 96, {3, 3, 27, 3});
}
Network make_convnext_base() {
  return make_convnext({"convnext-base", "ConvNeXt-Base", {3, 224, 224}, 1000}, 128, {3, 3, 27, 3});
}
Network make_convnext_large() {
  return make_convnext(
      {"convnext-large", "ConvNeXt-Large", {3, 224, 224}, 1000}, 192, {3, 3, 27, 3});
}

Network make_convnext_xlarge() {
  return make_convnext(
      {"convnext-xlarge", "ConvNeXt-XLarge", {3, 224, 224}, 1000}, 256, {3, 3, 27, 3});
}

Network make_convnext_v2_tiny() {
  return make_convnext(
      {"convnext-v2-tiny", "ConvNeXt V2-Tiny", {3, 224, 224}, 1000}, 96, {3, 3, 9, 3}, true);
}
Network make_convnext_v2_base() {
  return make_convnext(
      {"convnext-v2-base", "ConvNeXt V2-Base", {3, 224, 224}, 1000}, 128, {3, 3, 27, 3}, true);
}
Network make_convnext_v2_large() {
  return make_convnext(
      {"convnext-v2-large", "ConvNeXt V2-Large", {3, 224, 224}, 1000}, 192, {3, 3, 27, 3}, true);
}
Network make_convnext_v2_huge() {
  return make_convnext(
      {"convnext-v2-huge", "ConvNeXt V2-Huge", {3, 224, 224}, 1000}, 352, {3, 3, 27, 3}, true);
}

}  // namespace rightsize
