// RT-DETR: Zhao et al., "DETRs Beat YOLOs on Real-time Object Detection", CVPR 2024, as its
// authors' code (lyuwenyu/RT-DETR) shapes it with ResNet-D, and Ultralytics' rtdetr-l.yaml and
// rtdetr-x.yaml with PP-HGNetV2, for the 80 classes of COCO. A query looks at four places of each
// of three levels; here it takes one position, weighed by what says which, by the same matrices.
// RepVGG blocks stay two convolutions. The heads of layers other than the last, and queries beside
// these that denoise, which it trains with, are left out.
#include <array>
#include <string>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/hgnet_v2.h"
#include "kernels/networks/detection/residual_stages.h"
#include "kernels/networks/detection/transformer_parts.h"
#include "kernels/networks/detection/yolo_blocks.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize::detection {
namespace {

constexpr std::int64_t queries = 300;
constexpr std::int64_t places = detector_heads * 3 * 4;  // of a query

struct Form {
  std::array<int, 4> blocks;
  bool basic;
  std::int64_t width;  // of the encoder
  std::int64_t fed;
  std::int64_t inner;  // of the blocks of its neck
  int decoders;
};

constexpr std::array<Form, 4> forms{{{{2, 2, 2, 2}, true, 256, 1024, 128, 3},
                                     {{3, 4, 6, 3}, true, 256, 1024, 128, 4},
                                     {{3, 4, 6, 3}, false, 256, 1024, 256, 6},
                                     {{3, 4, 23, 3}, false, 384, 2048, 384, 6}}};
constexpr std::int64_t decoder_width = 256;

int silu_conv(NetworkBuilder& net,
              const std::string& name,
              int from,
              std::int64_t channels,
              Window window = {}) {
  return convolution_norm_active(net, name, from, channels, window, Activation::silu, 1e-5F);
}

int rep_block(NetworkBuilder& net, const std::string& name, int from) {
  const auto channels = net.shape(from).c;
  const int square = convolution_norm(net, name + "_3x3", from, channels, three_by_three());
  const int point = convolution_norm(net, name + "_1x1", from, channels, {});
  return net.activation(name + "_silu", net.add(name + "_sum", {square, point}), Activation::silu);
}

int fused(NetworkBuilder& net, const Form& form, const std::string& name, int from) {
  int x = silu_conv(net, name + "_cv1", from, form.inner);
  for (int i = 1; i <= 3; ++i) {
    x = rep_block(net, name + "_m" + std::to_string(i), x);
  }
  x = net.add(name + "_sum", {x, silu_conv(net, name + "_cv2", from, form.inner)});
  return form.inner == form.width ? x : silu_conv(net, name + "_cv3", x, form.width);
}

// Attention at the smallest level, then down to the largest and up again.
Levels encoded(NetworkBuilder& net, const Form& form, Levels levels) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    levels[i] = convolution_norm(net, "level" + std::to_string(i + 3), levels[i], form.width, {});
  }
  const auto top = net.shape(levels[2]);
  int x = attended_norm(net, "encoder", net.to_sequence("encoder_sequence", levels[2]));
  x = fed_norm(net, "encoder_mlp", x, {.width = form.fed, .activation = Activation::gelu});
  levels[2] =
      silu_conv(net, "lateral5", net.to_image("encoder_image", x, top.h, top.w), form.width);
  const auto larger = [&](const std::string& name, int from, int beside) {
    return fused(net,
                 form,
                 name,
                 net.concat(name + "_joined", {net.upsample(name + "_up", from, 2), beside}));
  };
  levels[1] = silu_conv(net, "lateral4", larger("down4", levels[2], levels[1]), form.width);
  levels[0] = larger("down3", levels[1], levels[0]);
  for (std::size_t i = 1; i < levels.size(); ++i) {
    const auto name = "up" + std::to_string(i + 3);
    x = silu_conv(net, name + "_halved", levels[i - 1], form.width, three_by_three(2));
    levels[i] = fused(net, form, name, net.concat(name + "_joined", {x, levels[i]}));
  }
  return levels;
}

int looked(NetworkBuilder& net, const std::string& name, int from, int memory) {
  const int values = net.linear(name + "_values", memory, decoder_width, true);
  const int offsets = net.linear(name + "_offsets", from, 2 * places, true);
  const int weights = net.linear(name + "_weights", from, places, true);
  const int which = net.concat(name + "_which", {offsets, weights});
  const int weighed = net.multiply(name + "_weighed",
                                   net.take_positions(name + "_taken", values, 0, queries),
                                   net.take_channels(name + "_part", which, 0, decoder_width));
  return net.linear(name + "_projection", weighed, decoder_width, true);
}

int decoded(NetworkBuilder& net, const std::string& name, int from, int memory) {
  int x = attended_norm(net, name + "_self", from);
  x = net.add(name + "_sum", {x, looked(net, name, x, memory)});
  return fed_norm(net,
                  name + "_mlp",
                  net.layer_norm(name + "_norm", x),
                  {.width = 1024, .activation = std::nullopt});
}

int memory_of(NetworkBuilder& net, const Levels& levels) {
  std::vector<int> sequences;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto name = "memory" + std::to_string(i + 3);
    sequences.push_back(net.to_sequence(name + "_sequence",
                                        convolution_norm(net, name, levels[i], decoder_width, {})));
  }
  return net.join_positions("memory", sequences);
}

// What follows the levels of whatever the network is built on.
Network detected(NetworkBuilder& net, const Form& form, const Levels& levels) {
  const int memory = memory_of(net, encoded(net, form, levels));
  int x = net.layer_norm("found_norm", net.linear("found", memory, decoder_width, true));
  const int found = net.concat("found_head",
                               {perceptron(net, "found_boxes", x, decoder_width, 4, 3),
                                net.linear("found_scores", x, coco_classes, true)});
  int boxes = net.take_channels("first_boxes", net.take_positions("best", found, 0, queries), 0, 4);
  x = net.take_positions("queries", x, 0, queries);
  for (int i = 1; i <= form.decoders; ++i) {
    const auto name = "decoder" + std::to_string(i);
    const int placed =
        i == 1 ? perceptron(net, "placed", boxes, 2 * decoder_width, decoder_width, 2) : -1;
    x = placed < 0 ? x : net.add(name + "_placed", {x, placed});
    x = decoded(net, name, x, memory);
    const int moved = perceptron(net, name + "_boxes", x, decoder_width, 4, 3);
    boxes = net.add(name + "_box", {boxes, moved});
  }
  const int scores = net.linear("scores", x, coco_classes, true);
  return net.finish_detector(net.concat("head", {boxes, scores}), 4, Scoring::sigmoid);
}

}  // namespace

Network make_rt_detr(const DetectionAsked& asked) {
  const auto& form = forms.at(static_cast<std::size_t>(asked.scale));
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, coco_classes + 1);
  const auto stages = residual_stages(
      net,
      {.blocks = {form.blocks.begin(), form.blocks.end()}, .deep_stem = true, .basic = form.basic});
  return detected(net, form, {stages[1], stages[2], stages[3]});
}

Network make_rt_detr_hgnet(const DetectionAsked& asked) {
  constexpr std::array<Form, 2> encoders{{{{}, false, 256, 1024, 256, 6},  //
                                          {{}, false, 384, 2048, 384, 6}}};
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, coco_classes + 1);
  const auto stages = hg_stages(net, asked.scale == 0 ? hgnet_b4 : hgnet_b5);
  return detected(
      net, encoders.at(static_cast<std::size_t>(asked.scale)), {stages[1], stages[2], stages[3]});
}

}  // namespace rightsize::detection
