#include "kernels/networks/detection/yolo_blocks.h"

#include <algorithm>
#include <cmath>

#include "kernels/networks/image_blocks.h"

namespace rightsize::detection {
namespace {

constexpr float epsilon = 1e-3F;

int convolution(NetworkBuilder& net,
                const std::string& name,
                int from,
                std::int64_t channels,
                const Window& window) {
  return convolution_norm_active(net, name, from, channels, window, Activation::silu, epsilon);
}

}  // namespace

std::int64_t YoloScale::channels(std::int64_t of_largest) const {
  constexpr double step = 8;
  const auto wanted = width * static_cast<double>(std::min(of_largest, most_channels));
  return static_cast<std::int64_t>(std::ceil(wanted / step) * step);
}

int YoloScale::blocks(int of_largest) const {
  return std::max(1, static_cast<int>(std::lround(depth * of_largest)));
}

int conv(NetworkBuilder& net,
         const std::string& name,
         int from,
         std::int64_t channels,
         std::int64_t kernel,
         std::int64_t stride) {
  return convolution(
      net, name, from, channels, {.kernel = kernel, .stride = stride, .pad = kernel / 2});
}

int depthwise(NetworkBuilder& net, const std::string& name, int from) {
  const auto channels = net.shape(from).c;
  return convolution(net, name, from, channels, {.kernel = 3, .pad = 1, .groups = channels});
}

int bottleneck(NetworkBuilder& net,
               const std::string& name,
               int from,
               std::int64_t channels,
               const Bottleneck& shape) {
  int x = conv(net, name + "_cv1", from, shape.inner, shape.first_kernel);
  x = conv(net, name + "_cv2", x, channels, 3);
  return shape.shortcut ? net.add(name + "_sum", {from, x}) : x;
}

int c3(NetworkBuilder& net,
       const std::string& name,
       int from,
       std::int64_t channels,
       int blocks,
       std::int64_t first_kernel,
       bool shortcut) {
  const auto inner = channels / 2;
  int x = conv(net, name + "_cv1", from, inner);
  for (int i = 0; i < blocks; ++i) {
    x = bottleneck(net, name + "_m" + std::to_string(i), x, inner, {inner, first_kernel, shortcut});
  }
  const int past = conv(net, name + "_cv2", from, inner);
  return conv(net, name + "_cv3", net.concat(name + "_cat", {x, past}), channels);
}

int c2f(NetworkBuilder& net,
        const std::string& name,
        int from,
        std::int64_t channels,
        std::int64_t inner,
        int blocks,
        const Block& block) {
  const int both = conv(net, name + "_cv1", from, 2 * inner);
  std::vector<int> joined{both};
  int x = net.take_channels(name + "_half", both, inner, inner);
  for (int i = 0; i < blocks; ++i) {
    x = block(name + "_m" + std::to_string(i), x);
    joined.push_back(x);
  }
  return conv(net, name + "_cv2", net.concat(name + "_cat", joined), channels);
}

int sppf(NetworkBuilder& net, const std::string& name, int from) {
  const auto channels = net.shape(from).c;
  const Window window{.kernel = 5, .pad = 2};
  const int x = conv(net, name + "_cv1", from, channels / 2);
  const int first = net.max_pool(name + "_pool1", x, window);
  const int second = net.max_pool(name + "_pool2", first, window);
  const int third = net.max_pool(name + "_pool3", second, window);
  return conv(net, name + "_cv2", net.concat(name + "_cat", {x, first, second, third}), channels);
}

Levels neck(NetworkBuilder& net,
            const YoloScale& scale,
            const Levels& levels,
            bool narrowed,
            const Stage& stage) {
  const auto narrow = [&](const std::string& name, int from, std::int64_t of_largest) {
    return narrowed ? conv(net, name, from, scale.channels(of_largest)) : from;
  };
  const auto larger = [&](const std::string& name, int from, int beside) {
    return net.concat(name + "_joined", {net.upsample(name + "_up", from, 2), beside});
  };
  const auto smaller = [&](const std::string& name, int from, std::int64_t wide, int beside) {
    const int x = conv(net, name, from, scale.channels(wide), 3, 2);
    return net.concat(name + "_joined", {x, beside});
  };
  const int top = narrow("neck_narrow5", levels[2], 512);
  int x = stage("neck_down4", larger("neck_down4", top, levels[1]), 512);
  const int middle = narrow("neck_narrow4", x, 256);
  const int fine = stage("neck_out3", larger("neck_out3", middle, levels[0]), 256);
  x = smaller("neck_smaller4", fine, 256, middle);
  const int half = stage("neck_out4", x, 512);
  x = smaller("neck_smaller5", half, 512, top);
  return {fine, half, stage("neck_out5", x, 1024)};
}

}  // namespace rightsize::detection
