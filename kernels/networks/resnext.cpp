// ResNeXt: Xie et al., "Aggregated Residual Transformations for Deep Neural Networks", CVPR 2017,
// table 1: 32 groups of 4 channels in the first stage's 3x3 convolutions. With squeeze and
// excitation (Hu et al., CVPR 2018) behind each branch, two biased 1x1 convolutions with a
// reduction of 16: NVIDIA's se-resnext101-32x4d.
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

constexpr std::int64_t groups = 32;
constexpr std::int64_t reduction = 16;

// `width` is that of the grouped convolution; the block's output is twice as wide.
int block(NetworkBuilder& net,
          const std::string& name,
          int from,
          std::int64_t width,
          std::int64_t stride,
          bool excited) {
  int x = convolution_norm_relu(net, name + "_2a", from, width, {});
  x = convolution_norm_relu(
      net, name + "_2b", x, width, {.kernel = 3, .stride = stride, .pad = 1, .groups = groups});
  x = convolution_norm(net, name + "_2c", x, 2 * width, {});
  if (excited) {
    x = squeeze_and_excite(net, name, x, {.squeezed = 2 * width / reduction});
  }
  const bool same = net.shape(from).c == 2 * width;
  const int shortcut =
      same ? from : convolution_norm(net, name + "_1", from, 2 * width, {.stride = stride});
  return net.relu(name + "_relu", net.add(name + "_sum", {x, shortcut}));
}

Network make_resnext(NetworkBuilder net, const std::array<int, 4>& stage_blocks, bool excited) {
  int x =
      convolution_norm_relu(net, "conv1", net.input(), 64, {.kernel = 7, .stride = 2, .pad = 3});
  x = net.max_pool("pool1", x, {.kernel = 3, .stride = 2, .pad = 1});
  for (std::size_t stage = 0; stage < stage_blocks.size(); ++stage) {
    for (int i = 0; i < stage_blocks[stage]; ++i) {
      const auto name = fmt::format("res{}_{}", stage + 2, i + 1);
      const std::int64_t stride = stage > 0 && i == 0 ? 2 : 1;
      x = block(net, name, x, std::int64_t{128} << stage, stride, excited);
    }
  }
  x = net.global_average_pool("pool5", x);
  return net.finish(net.fully_connected("fc", x, 1000));
}

}  // namespace

Network make_resnext50() {
  return make_resnext(
      {"resnext50-32x4d", "ResNeXt-50 32x4d", {3, 224, 224}, 1000}, {3, 4, 6, 3}, false);
}
Network make_resnext101() {
  return make_resnext(
      {"resnext101-32x4d", "ResNeXt-101 32x4d", {3, 224, 224}, 1000}, {3, 4, 23, 3}, false);
}
Network make_se_resnext101() {
  return make_resnext(
      {"se-resnext101-32x4d", "SE-ResNeXt-101 32x4d", {3, 224, 224}, 1000}, {3, 4, 23, 3}, true);
}

}  // namespace rightsize
