// ResNet: He, Zhang, Ren, Sun, "Deep Residual Learning for Image Recognition", CVPR 2016, table 1.
// Version 1.5 of the bottleneck: the stride of a stage's first block sits in its 3x3 convolution,
// as in Torch, torchvision and the MLPerf reference (v1 has it in the first 1x1; same parameters,
// 3.8 instead of 4.1 GMACs for ResNet-50). Projection shortcuts where the shape changes (option B).
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

enum class Block { basic, bottleneck, wide_bottleneck };

// Width of the block's output, in multiples of its stage's width.
std::int64_t expansion(Block block) {
  return block == Block::basic ? 1 : 4;
}

int branch(NetworkBuilder& net,
           const std::string& name,
           int from,
           Block block,
           std::int64_t width,
           std::int64_t stride) {
  if (block == Block::basic) {
    const int x = convolution_norm_relu(
        net, name + "_2a", from, width, {.kernel = 3, .stride = stride, .pad = 1});
    return convolution_norm(net, name + "_2b", x, width, {.kernel = 3, .pad = 1});
  }
  const auto inner = block == Block::wide_bottleneck ? 2 * width : width;
  int x = convolution_norm_relu(net, name + "_2a", from, inner, {});
  x = convolution_norm_relu(net, name + "_2b", x, inner, {.kernel = 3, .stride = stride, .pad = 1});
  return convolution_norm(net, name + "_2c", x, width * expansion(block), {});
}

// The four stages behind the stem `x`, the pooling and the classifier.
Network finish_resnet(
    NetworkBuilder& net, int x, Block block, const std::array<int, 4>& stage_blocks, int classes) {
  std::int64_t channels = 64;
  for (std::size_t stage = 0; stage < stage_blocks.size(); ++stage) {
    const auto width = std::int64_t{64} << stage;
    for (int i = 0; i < stage_blocks[stage]; ++i) {
      const auto name = fmt::format("res{}_{}", stage + 2, i + 1);
      const std::int64_t stride = stage > 0 && i == 0 ? 2 : 1;
      int shortcut = x;
      if (channels != width * expansion(block)) {
        channels = width * expansion(block);
        shortcut = convolution_norm(net, name + "_1", x, channels, {.stride = stride});
      }
      x = net.add(name + "_sum", {branch(net, name, x, block, width, stride), shortcut});
      x = net.relu(name + "_relu", x);
    }
  }
  x = net.global_average_pool("pool5", x);
  return net.finish(net.fully_connected("fc", x, classes));
}

Network make_resnet(NetworkBuilder net, Block block, const std::array<int, 4>& stage_blocks) {
  const int x =
      convolution_norm_relu(net, "conv1", net.input(), 64, {.kernel = 7, .stride = 2, .pad = 3});
  const int pooled = net.max_pool("pool1", x, {.kernel = 3, .stride = 2, .pad = 1});
  return finish_resnet(net, pooled, block, stage_blocks, 1000);
}

Network make_resnet(int depth, Block block, const std::array<int, 4>& stage_blocks) {
  return make_resnet(
      {fmt::format("resnet{}", depth), fmt::format("ResNet-{}", depth), {3, 224, 224}, 1000},
      block,
      stage_blocks);
}

}  // namespace

// The CIFAR-10 form that Gavel timed (kuangliu/pytorch-cifar): a 3x3 convolution without pooling in
// front, so that the stages work at 32, 16, 8 and 4; 11 173 962 parameters.
Network make_resnet18_cifar() {
  NetworkBuilder net("resnet18-cifar", "ResNet-18, CIFAR-10", {3, 32, 32}, 10);
  const int x = convolution_norm_relu(net, "conv1", net.input(), 64, {.kernel = 3, .pad = 1});
  return finish_resnet(net, x, Block::basic, {2, 2, 2, 2}, 10);
}

Network make_resnet18() {
  return make_resnet(18, Block::basic, {2, 2, 2, 2});
}
Network make_resnet34() {
  return make_resnet(34, Block::basic, {3, 4, 6, 3});
}
Network make_resnet50() {
  return make_resnet(50, Block::bottleneck, {3, 4, 6, 3});
}
Network make_resnet101() {
  return make_resnet(101, Block::bottleneck, {3, 4, 23, 3});
}
Network make_resnet152() {
  return make_resnet(152, Block::bottleneck, {3, 8, 36, 3});
}
// He et al., "Identity Mappings in Deep Residual Networks", ECCV 2016, with the blocks above.
Network make_resnet200() {
  return make_resnet(200, Block::bottleneck, {3, 24, 36, 3});
}

// Zagoruyko and Komodakis, "Wide Residual Networks", BMVC 2016, table 8, in torchvision's form: the
// 3x3 convolutions, and what leads into them, are twice as wide.
Network make_wide_resnet50_2() {
  return make_resnet({"wide-resnet50-2", "Wide ResNet-50-2", {3, 224, 224}, 1000},
                     Block::wide_bottleneck,
                     {3, 4, 6, 3});
}

}  // namespace rightsize
