// YOLO12: Tian et al., "YOLOv12: Attention-Centric Real-Time Object Detectors", NeurIPS 2025, as
// Ultralytics' yolo12.yaml has it, for the 80 classes of COCO, and with the head that
// segments. The learned factors of channels that the two
// largest add their stages with have no layer.
#include <array>
#include <string>

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
constexpr int first_deep = 2;      // from m on the first stages have the deeper blocks
constexpr int first_residual = 3;  // from l on stages that attend are added to what they read

struct Area {
  std::int64_t parts = 1;  // a position attends to those of its part of the image
  double widened = 2;      // between the feed-forward part's convolutions
};

// As many keys and values as a part has: those of the first one here.
int attended(NetworkBuilder& net, const std::string& name, int from, const Area& area) {
  const auto in = net.shape(from);
  const int qk = norm_conv(net, name + "_qk", from, 2 * in.c);
  const int values = norm_conv(net, name + "_v", from, in.c);
  const int queries =
      net.to_sequence(name + "_q", net.take_channels(name + "_q_part", qk, 0, in.c));
  const int keys = net.take_channels(name + "_k_part", qk, in.c, in.c);
  int pairs = net.to_sequence(name + "_kv", net.concat(name + "_kv_cat", {keys, values}));
  if (area.parts > 1) {
    pairs = net.take_positions(name + "_area", pairs, 0, in.positions() / area.parts);
  }
  int x = net.attention_to(name + "_attention", queries, pairs, in.c / 32);
  x = net.to_image(name + "_image", x, in.h, in.w);
  const int placed =
      norm_conv(net, name + "_pe", values, in.c, {.kernel = 5, .pad = 2, .groups = in.c});
  return norm_conv(net, name + "_proj", net.add(name + "_placed", {x, placed}), in.c);
}

int block(NetworkBuilder& net, const std::string& name, int from, const Area& area) {
  const auto channels = net.shape(from).c;
  const int x = net.add(name + "_sum", {from, attended(net, name, from, area)});
  const auto wide = static_cast<std::int64_t>(static_cast<double>(channels) * area.widened);
  const int y = conv(net, name + "_mlp1", x, wide);
  return net.add(name + "_mlp_sum", {x, norm_conv(net, name + "_mlp2", y, channels)});
}

// What a row of parts hands on is joined with what each of them made (R-ELAN).
int row(NetworkBuilder& net,
        const std::string& name,
        int from,
        std::int64_t channels,
        int parts,
        const Block& part) {
  std::vector<int> joined{conv(net, name + "_cv1", from, channels / 2)};
  for (int i = 0; i < parts; ++i) {
    joined.push_back(part(name + "_m" + std::to_string(i), joined.back()));
  }
  return conv(net, name + "_cv2", net.concat(name + "_cat", joined), channels);
}

Network of_task(const DetectionAsked& asked, YoloTask task) {
  const auto& scale = scales.at(static_cast<std::size_t>(asked.scale));
  const bool residual = asked.scale >= first_residual;
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, classes_of(task) + 1);
  const auto attending =
      [&](const std::string& name, int from, std::int64_t wide, std::int64_t parts) {
        const Area area{parts, residual ? 1.5 : 2.0};
        const auto part = [&](const std::string& own, int x) {
          return block(net, own + "_2", block(net, own + "_1", x, area), area);
        };
        const int x = row(net, name, from, scale.channels(wide), scale.blocks(4), part);
        return residual ? net.add(name + "_residual", {from, x}) : x;
      };
  const auto plain = [&](const std::string& name, int from, std::int64_t wide) {
    const auto inner = scale.channels(wide) / 2;
    return row(net, name, from, scale.channels(wide), scale.blocks(2), [&](auto own, int x) {
      return c3(net, own, x, inner, 2, 3, true);
    });
  };
  const auto early = [&](const std::string& name, int from, std::int64_t wide) {
    const auto channels = scale.channels(wide);
    return c3k2(
        net, name, from, channels, channels / 4, scale.blocks(2), asked.scale >= first_deep);
  };
  const auto grouped =
      [&](const std::string& name, int from, std::int64_t wide, std::int64_t groups) {
        const Window window{.kernel = 3, .stride = 2, .pad = 1, .groups = groups};
        return convolution_norm_active(
            net, name, from, scale.channels(wide), window, Activation::silu, 1e-3F);
      };
  int x = grouped("conv2", conv(net, "conv1", net.input(), scale.channels(64), 3, 2), 128, 2);
  x = grouped("conv3", early("stage2", x, 256), 256, 4);
  const int eighth = early("stage3", x, 512);
  const int sixteenth =
      attending("stage4", conv(net, "conv4", eighth, scale.channels(512), 3, 2), 512, 4);
  x = attending("stage5", conv(net, "conv5", sixteenth, scale.channels(1024), 3, 2), 1024, 1);
  const auto in_neck = [&](const std::string& name, int from, std::int64_t wide) {
    const auto channels = scale.channels(wide);
    return wide == 1024 ? c3k2(net, name, from, channels, channels / 2, scale.blocks(2), true)
                        : plain(name, from, wide);
  };
  return finish_with_bins(
      net, neck(net, scale, {eighth, sixteenth, x}, false, in_neck), {.light = true, .task = task});
}

}  // namespace

Network make_yolo12(const DetectionAsked& asked) {
  return of_task(asked, YoloTask::detect);
}
Network make_yolo12_seg(const DetectionAsked& asked) {
  return of_task(asked, YoloTask::segment);
}

}  // namespace rightsize::detection
