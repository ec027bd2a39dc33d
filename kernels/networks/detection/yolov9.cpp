// YOLOv9: Wang et al., "YOLOv9: Learning What You Want to Learn Using Programmable Gradient
// Information", ECCV 2024, as Ultralytics' yolov9t.yaml to yolov9c.yaml have it: what is deployed,
// without the branches that its authors train it beside. A convolution of 3x3 and one of 1x1 are
// summed while it trains, and one when it infers (RepConv); here they stay two.
#include <array>
#include <string>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/gelan.h"
#include "kernels/networks/detection/yolo_blocks.h"

namespace rightsize::detection {
namespace {

// Channels of the stem and of the stages at a quarter, an eighth, a sixteenth and a thirty-second
// of a side: of what goes out, and between.
struct Form {
  std::array<std::int64_t, 2> stem;
  std::array<std::int64_t, 4> out;
  std::array<std::int64_t, 4> inner;
  std::array<std::int64_t, 2> halved;  // of the neck's way down
  int blocks;
  bool plain_first;  // the first stage has convolutions alone
  bool by_halves;    // sizes are halved by a convolution and a pooling, half of the channels each
};

constexpr std::array<Form, 4> forms{{
    {{16, 32}, {32, 64, 96, 128}, {32, 64, 96, 128}, {48, 64}, 3, true, false},
    {{32, 64}, {64, 128, 192, 256}, {64, 128, 192, 256}, {96, 128}, 3, true, false},
    {{32, 64}, {128, 240, 360, 480}, {128, 240, 360, 480}, {180, 240}, 1, false, false},
    {{64, 128}, {256, 512, 512, 512}, {128, 256, 512, 512}, {256, 512}, 1, false, true},
}};

int halved(NetworkBuilder& net,
           const Form& form,
           const std::string& name,
           int from,
           std::int64_t channels) {
  if (form.by_halves) {
    return halved_by_halves(net, name, from, channels);
  }
  const int x = net.average_pool(name + "_mean", from, {.kernel = 2});
  return conv(net, name, x, channels, 3, 2);
}

Levels neck_of(NetworkBuilder& net, const Form& form, const Levels& levels) {
  const auto stage = [&](const std::string& name, int from, std::size_t level) {
    const auto inner = form.by_halves && level == 1 ? form.out[0] : form.inner[level];
    const auto channels = form.by_halves && level == 1 ? form.out[0] : form.out[level];
    return elan(net, name, from, channels, inner, form.blocks);
  };
  const auto larger = [&](const std::string& name, int from, int beside) {
    return net.concat(name + "_joined", {net.upsample(name + "_up", from, 2), beside});
  };
  const int middle = stage("neck_down4", larger("neck_down4", levels[2], levels[1]), 2);
  const int fine = stage("neck_out3", larger("neck_out3", middle, levels[0]), 1);
  int x = halved(net, form, "neck_smaller4", fine, form.halved[0]);
  const int half = stage("neck_out4", net.concat("neck_smaller4_joined", {x, middle}), 2);
  x = halved(net, form, "neck_smaller5", half, form.halved[1]);
  return {fine, half, stage("neck_out5", net.concat("neck_smaller5_joined", {x, levels[2]}), 3)};
}

}  // namespace

Network make_yolov9(const DetectionAsked& asked) {
  const auto& form = forms.at(static_cast<std::size_t>(asked.scale));
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, coco_classes + 1);
  int x = conv(net, "conv1", net.input(), form.stem[0], 3, 2);
  x = conv(net, "conv2", x, form.stem[1], 3, 2);
  Levels levels{};
  for (std::size_t stage = 0; stage < form.out.size(); ++stage) {
    const auto name = "stage" + std::to_string(stage + 2);
    if (stage > 0) {
      const auto channels = form.by_halves ? net.shape(x).c : form.out[stage];
      x = halved(net, form, name + "_halved", x, channels);
    }
    const bool plain = stage == 0 && form.plain_first;
    x = elan(net, name, x, form.out[stage], form.inner[stage], plain ? 0 : form.blocks);
    if (stage > 0) {
      levels[stage - 1] = x;
    }
  }
  const auto top = net.shape(levels[2]).c;
  levels[2] = pooled_elan(net, "spp", levels[2], top, top / 2);
  return finish_with_bins(net, neck_of(net, form, levels), {});
}

}  // namespace rightsize::detection
