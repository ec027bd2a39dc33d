// What became of ResNet in timm's resnet.py: He et al., CVPR 2016, with wider or grouped 3x3
// convolutions (Zagoruyko and Komodakis, BMVC 2016; Xie et al., CVPR 2017), with excitations (Hu et
// al., CVPR 2018, a reduction of 16), and with a stem of three convolutions and shortcuts that
// average in front of their convolution (He et al., "Bag of Tricks", CVPR 2019, ResNet-D).
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

struct Residual {
  const char* name;
  const char* title;
  std::array<int, 4> blocks;
  std::int64_t inner = 64;  // channels of the first stage's 3x3 convolutions
  std::int64_t groups = 1;
  bool excited = false;
  bool tricks = false;  // ResNet-D
};

// The order of classifiers.cpp.
constexpr std::array<Residual, 8> networks{{
    {"resnet26", "ResNet-26", {2, 2, 2, 2}},
    {"resnet50d", "ResNet-50-D", {3, 4, 6, 3}, 64, 1, false, true},
    {"resnet101d", "ResNet-101-D", {3, 4, 23, 3}, 64, 1, false, true},
    {"seresnet50", "SE-ResNet-50", {3, 4, 6, 3}, 64, 1, true},
    {"wide-resnet101-2", "Wide ResNet-101-2", {3, 4, 23, 3}, 128},
    {"seresnext50-32x4d", "SE-ResNeXt-50 32x4d", {3, 4, 6, 3}, 128, 32, true},
    {"resnext101-32x8d", "ResNeXt-101 32x8d", {3, 4, 23, 3}, 256, 32},
    {"resnext101-64x4d", "ResNeXt-101 64x4d", {3, 4, 23, 3}, 256, 64},
}};

int stem(NetworkBuilder& net, const Residual& shape) {
  if (!shape.tricks) {
    return convolution_norm_relu(
        net, "conv1", net.input(), 64, {.kernel = 7, .stride = 2, .pad = 3});
  }
  int x =
      convolution_norm_relu(net, "conv1_1", net.input(), 32, {.kernel = 3, .stride = 2, .pad = 1});
  x = convolution_norm_relu(net, "conv1_2", x, 32, {.kernel = 3, .pad = 1});
  return convolution_norm_relu(net, "conv1_3", x, 64, {.kernel = 3, .pad = 1});
}

int shortcut_of(NetworkBuilder& net,
                const Residual& shape,
                const std::string& name,
                int from,
                std::int64_t channels,
                std::int64_t stride) {
  if (net.shape(from).c == channels) {
    return from;
  }
  if (!shape.tricks || stride == 1) {
    return convolution_norm(net, name + "_1", from, channels, {.stride = stride});
  }
  const int x = net.average_pool(name + "_1_pool", from, {.kernel = stride, .stride = stride});
  return convolution_norm(net, name + "_1", x, channels, {});
}

int block(NetworkBuilder& net,
          const Residual& shape,
          const std::string& name,
          int from,
          std::size_t stage,
          std::int64_t stride) {
  constexpr std::int64_t reduction = 16;
  const auto inner = shape.inner << stage;
  const auto channels = std::int64_t{256} << stage;
  int x = convolution_norm_relu(net, name + "_2a", from, inner, {});
  x = convolution_norm_relu(net,
                            name + "_2b",
                            x,
                            inner,
                            {.kernel = 3, .stride = stride, .pad = 1, .groups = shape.groups});
  x = convolution_norm(net, name + "_2c", x, channels, {});
  if (shape.excited) {
    x = squeeze_and_excite(net, name, x, {.squeezed = channels / reduction});
  }
  const int shortcut = shortcut_of(net, shape, name, from, channels, stride);
  return net.relu(name + "_relu", net.add(name + "_sum", {x, shortcut}));
}

}  // namespace

Network make_resnet_variant(int which) {
  const auto& shape = networks.at(static_cast<std::size_t>(which));
  NetworkBuilder net(shape.name, shape.title, {3, 224, 224}, 1000);
  int x = net.max_pool("pool1", stem(net, shape), {.kernel = 3, .stride = 2, .pad = 1});
  for (std::size_t stage = 0; stage < shape.blocks.size(); ++stage) {
    for (int i = 0; i < shape.blocks[stage]; ++i) {
      const auto name = fmt::format("res{}_{}", stage + 2, i + 1);
      x = block(net, shape, name, x, stage, stage > 0 && i == 0 ? 2 : 1);
    }
  }
  x = net.global_average_pool("pool5", x);
  return net.finish(net.fully_connected("fc", x, 1000));
}

}  // namespace rightsize
