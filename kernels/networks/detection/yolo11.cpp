// YOLO11: Ultralytics, 2024, as its yolo11.yaml has it, for the 80 classes of COCO.
#include <array>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/yolo_blocks.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize::detection {
namespace {

constexpr std::array<YoloScale, 5> scales{{{0.50, 0.25, 1024},
                                           {0.50, 0.50, 1024},
                                           {0.50, 1.00, 512},
                                           {1.00, 1.00, 512},
                                           {1.00, 1.50, 512}}};
constexpr int first_deep = 2;  // from m on every stage has the deeper blocks

// What the whole is divided by for the channels of a stage's blocks.
constexpr std::int64_t half = 2;
constexpr std::int64_t quarter = 4;

int stage_of(NetworkBuilder& net,
             const std::string& name,
             int from,
             std::int64_t channels,
             std::int64_t inner,
             int blocks,
             bool deep) {
  return c2f(net, name, from, channels, inner, blocks, [&](auto own, int x) {
    return deep ? c3(net, own, x, inner, 2, 3, true)
                : bottleneck(net, own, x, inner, {inner / 2, 3, true});
  });
}

int norm_conv(NetworkBuilder& net,
              const std::string& name,
              int from,
              std::int64_t channels,
              const Window& window = {}) {
  return convolution_norm(net, name, from, channels, window, 1e-3F);
}

// Heads have 32 features of queries and keys, and 64 of values. Attention here has as many of each,
// so that a head is two, with the same queries and keys before either half of the values: numbered
// otherwise, and the scores made twice, which is a three-hundredth of the network's work.
int attended(NetworkBuilder& net, const std::string& name, int from) {
  constexpr std::int64_t head_dim = 32;
  const auto in = net.shape(from);
  const auto keyed = in.c / 2;
  const int qkv = norm_conv(net, name + "_qkv", from, 2 * in.c);
  const int queries = net.take_channels(name + "_q", qkv, 0, keyed);
  const int keys = net.take_channels(name + "_k", qkv, keyed, keyed);
  const int values = net.take_channels(name + "_v", qkv, 2 * keyed, in.c);
  int x = net.concat(name + "_heads", {queries, queries, keys, keys, values});
  const auto heads = in.c / head_dim;
  x = net.attention(
      name + "_attention", net.to_sequence(name + "_sequence", x), {heads, heads, head_dim});
  x = net.to_image(name + "_image", x, in.h, in.w);
  const int placed =
      norm_conv(net, name + "_pe", values, in.c, {.kernel = 3, .pad = 1, .groups = in.c});
  return norm_conv(net, name + "_proj", net.add(name + "_placed", {x, placed}), in.c);
}

// Half of the channels through blocks that attend from each position to all.
int c2psa(NetworkBuilder& net, const std::string& name, int from, int blocks) {
  const auto channels = net.shape(from).c;
  const auto inner = channels / 2;
  const int both = conv(net, name + "_cv1", from, channels);
  const int past = net.take_channels(name + "_past", both, 0, inner);
  int x = net.take_channels(name + "_half", both, inner, inner);
  for (int i = 0; i < blocks; ++i) {
    const auto own = name + "_m" + std::to_string(i);
    x = net.add(own + "_sum", {x, attended(net, own, x)});
    const int wide = conv(net, own + "_ffn1", x, 2 * inner);
    x = net.add(own + "_ffn_sum", {x, norm_conv(net, own + "_ffn2", wide, inner)});
  }
  return conv(net, name + "_cv2", net.concat(name + "_cat", {past, x}), channels);
}

}  // namespace

Network make_yolo11(const DetectionAsked& asked) {
  const auto& scale = scales.at(static_cast<std::size_t>(asked.scale));
  const int blocks = scale.blocks(2);
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, coco_classes + 1);
  const auto stage =
      [&](const std::string& name, int from, std::int64_t wide, std::int64_t part, bool deep) {
        const auto channels = scale.channels(wide);
        return stage_of(
            net, name, from, channels, channels / part, blocks, deep || asked.scale >= first_deep);
      };
  const auto halve = [&](const std::string& name, int from, std::int64_t wide) {
    return conv(net, name, from, scale.channels(wide), 3, 2);
  };
  int x = halve("conv2", halve("conv1", net.input(), 64), 128);
  x = stage("stage2", x, 256, quarter, false);
  const int eighth = stage("stage3", halve("conv3", x, 256), 512, quarter, false);
  const int sixteenth = stage("stage4", halve("conv4", eighth, 512), 512, half, true);
  x = stage("stage5", halve("conv5", sixteenth, 1024), 1024, half, true);
  x = c2psa(net, "c2psa", sppf(net, "sppf", x), blocks);
  const auto in_neck = [&](const std::string& name, int from, std::int64_t wide) {
    return stage(name, from, wide, half, wide == 1024);
  };
  const Levels levels{eighth, sixteenth, x};
  return finish_with_bins(net, neck(net, scale, levels, false, in_neck), true);
}

}  // namespace rightsize::detection
