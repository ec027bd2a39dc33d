// YOLOv9-E: Wang et al., ECCV 2024, as Ultralytics' yolov9e.yaml has it. Its stages stand twice:
// those of the second row each begin with what those of the first row hand on, enlarged and added.
#include <array>
#include <string>
#include <vector>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/gelan.h"

namespace rightsize::detection {
namespace {

constexpr int blocks = 2;
// Of the stem and of the stages at a quarter, an eighth, a sixteenth and a thirty-second of a side.
constexpr std::array<std::int64_t, 5> out{64, 256, 512, 1024, 1024};
constexpr std::array<std::int64_t, 5> inner{0, 128, 256, 512, 512};
// What is handed on, of features of the first row's part of so many channels for the second row's.
constexpr std::array<std::int64_t, 5> handed{64, 128, 256, 512, 1024};

int halved(NetworkBuilder& net, const std::string& name, int from, std::size_t stage) {
  if (stage == 1) {
    return conv(net, name, from, 128, 3, 2);
  }
  return halved_by_halves(net, name, from, net.shape(from).c);
}

int stage_of(NetworkBuilder& net, const std::string& name, int from, std::size_t stage) {
  return elan(net, name, from, out.at(stage), inner.at(stage), blocks);
}

// Of each part of the first row one matrix makes what all parts of the second one are handed.
std::vector<int> handed_on(NetworkBuilder& net, const std::vector<int>& row) {
  std::vector<int> all;
  std::int64_t channels = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    channels += handed.at(i);
    all.push_back(net.convolution("handed" + std::to_string(i + 1), row[i], channels, {}, true));
  }
  return all;
}

// The part with what the parts of the first row from this one on hand it.
int fused(NetworkBuilder& net, const std::vector<int>& from_first, std::size_t part, int own) {
  const auto name = "fused" + std::to_string(part + 1);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < part; ++i) {
    first += handed.at(i);
  }
  std::vector<int> all{own};
  for (std::size_t i = part; i < from_first.size(); ++i) {
    const auto beside = name + "_" + std::to_string(i + 1);
    const int x = net.take_channels(beside, from_first[i], first, handed.at(part));
    const auto times = net.shape(own).h / net.shape(x).h;
    all.push_back(times > 1 ? net.upsample(beside + "_up", x, times) : x);
  }
  return net.add(name, all);
}

std::vector<int> second_row(NetworkBuilder& net, const std::vector<int>& row) {
  const auto from_first = handed_on(net, row);
  std::vector<int> second;
  int x = conv(net, "second1", net.input(), out[0], 3, 2);
  second.push_back(fused(net, from_first, 0, x));
  for (std::size_t stage = 1; stage < out.size(); ++stage) {
    const auto name = "second" + std::to_string(stage + 1);
    x = halved(net, name + "_halved", second.back(), stage);
    second.push_back(stage_of(net, name, fused(net, from_first, stage, x), stage));
  }
  return second;
}

Levels neck_of(NetworkBuilder& net, const Levels& levels) {
  const auto larger = [&](const std::string& name, int from, int beside) {
    return net.concat(name + "_joined", {net.upsample(name + "_up", from, 2), beside});
  };
  const auto smaller = [&](const std::string& name, int from, int beside) {
    const int x = halved_by_halves(net, name, from, net.shape(from).c);
    return net.concat(name + "_joined", {x, beside});
  };
  const int middle =
      elan(net, "neck_down4", larger("neck_down4", levels[2], levels[1]), 512, 512, blocks);
  const int fine = elan(net, "neck_out3", larger("neck_out3", middle, levels[0]), 256, 256, blocks);
  const int half = elan(net, "neck_out4", smaller("neck_smaller4", fine, middle), 512, 512, blocks);
  const int coarse =
      elan(net, "neck_out5", smaller("neck_smaller5", half, levels[2]), 512, 1024, blocks);
  return {fine, half, coarse};
}

}  // namespace

Network make_yolov9e(const DetectionAsked& asked) {
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, coco_classes + 1);
  std::vector<int> row{conv(net, "conv1", net.input(), out[0], 3, 2)};
  for (std::size_t stage = 1; stage < out.size(); ++stage) {
    const auto name = "stage" + std::to_string(stage + 1);
    row.push_back(stage_of(net, name, halved(net, name + "_halved", row.back(), stage), stage));
  }
  const auto second = second_row(net, row);
  const Levels levels{second[2], second[3], pooled_elan(net, "spp", second[4], 512, 256)};
  return finish_with_bins(net, neck_of(net, levels), {});
}

}  // namespace rightsize::detection
