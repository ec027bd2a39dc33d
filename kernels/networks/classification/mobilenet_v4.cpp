// MobileNetV4: Qin et al., "MobileNetV4: Universal Models for the Mobile Ecosystem", ECCV 2024, as
// timm's mobilenetv3.py lists its blocks: of convolutions alone, and with attention. Layer scale,
// one factor a channel of an attention's branch, has no layer.
#include "kernels/networks/classification/mobilenet_v4.h"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"

namespace rightsize {
namespace {

using namespace mobilenet_v4;

struct MobileNetV4 {
  const char* name;
  const char* title;
  std::int64_t image;
  std::int64_t stem;
  std::vector<Row> rows;
  Nonlinearity function = std::nullopt;
};

std::vector<Row> small_rows() {
  using enum Row::Kind;
  return {{plain, 1, 0, 3, 2, 1, 32},
          {plain, 1, 0, 1, 1, 1, 32},
          {plain, 1, 0, 3, 2, 1, 96},
          {plain, 1, 0, 1, 1, 1, 64},
          {universal, 1, 5, 5, 2, 3, 96},
          {universal, 4, 0, 3, 1, 2, 96},
          {universal, 1, 3, 0, 1, 4, 96},
          {universal, 1, 3, 3, 2, 6, 128},
          {universal, 1, 5, 5, 1, 4, 128},
          {universal, 1, 0, 5, 1, 4, 128},
          {universal, 1, 0, 5, 1, 3, 128},
          {universal, 2, 0, 3, 1, 4, 128},
          {plain, 1, 0, 1, 1, 1, 960}};
}

std::vector<Row> medium_rows() {
  using enum Row::Kind;
  return {{dense, 1, 0, 3, 2, 4, 48},      {universal, 1, 3, 5, 2, 4, 80},
          {universal, 1, 3, 3, 1, 2, 80},  {universal, 1, 3, 5, 2, 6, 160},
          {universal, 2, 3, 3, 1, 4, 160}, {universal, 1, 3, 5, 1, 4, 160},
          {universal, 1, 3, 3, 1, 4, 160}, {universal, 1, 3, 0, 1, 4, 160},
          {universal, 1, 0, 0, 1, 2, 160}, {universal, 1, 3, 0, 1, 4, 160},
          {universal, 1, 5, 5, 2, 6, 256}, {universal, 1, 5, 5, 1, 4, 256},
          {universal, 2, 3, 5, 1, 4, 256}, {universal, 1, 0, 0, 1, 4, 256},
          {universal, 1, 3, 0, 1, 4, 256}, {universal, 1, 3, 5, 1, 2, 256},
          {universal, 1, 5, 5, 1, 4, 256}, {universal, 2, 0, 0, 1, 4, 256},
          {universal, 1, 5, 0, 1, 2, 256}, {plain, 1, 0, 1, 1, 1, 960}};
}

std::vector<Row> large_rows() {
  using enum Row::Kind;
  return {{dense, 1, 0, 3, 2, 4, 48},
          {universal, 1, 3, 5, 2, 4, 96},
          {universal, 1, 3, 3, 1, 4, 96},
          {universal, 1, 3, 5, 2, 4, 192},
          {universal, 3, 3, 3, 1, 4, 192},
          {universal, 1, 3, 5, 1, 4, 192},
          {universal, 5, 5, 3, 1, 4, 192},
          {universal, 1, 3, 0, 1, 4, 192},
          {universal, 4, 5, 5, 2, 4, 512},
          {universal, 1, 5, 0, 1, 4, 512},
          {universal, 1, 5, 3, 1, 4, 512},
          {universal, 2, 5, 0, 1, 4, 512},
          {universal, 1, 5, 3, 1, 4, 512},
          {universal, 1, 5, 5, 1, 4, 512},
          {universal, 3, 5, 0, 1, 4, 512},
          {plain, 1, 0, 1, 1, 1, 960}};
}

int filtered(NetworkBuilder& net,
             const std::string& name,
             int from,
             std::int64_t kernel,
             std::int64_t stride) {
  const Window window{
      .kernel = kernel, .stride = stride, .pad = kernel / 2, .groups = net.shape(from).c};
  return convolution_norm(net, name, from, net.shape(from).c, window, epsilon);
}

int active(NetworkBuilder& net,
           const std::string& name,
           int from,
           std::int64_t channels,
           std::int64_t kernel,
           std::int64_t stride,
           Nonlinearity function) {
  const Window window{.kernel = kernel, .stride = stride, .pad = kernel / 2};
  return convolution_norm_active(net, name, from, channels, window, function, epsilon);
}

int universal_block(
    NetworkBuilder& net, const std::string& name, int from, const Row& row, Nonlinearity function) {
  const auto in_channels = net.shape(from).c;
  int x = from;
  if (row.first > 0) {
    x = filtered(net, name + "_first", x, row.first, row.middle > 0 ? 1 : row.stride);
  }
  x = active(net, name + "_expand", x, in_channels * row.expansion, 1, 1, function);
  if (row.middle > 0) {
    x = filtered(net, name + "_middle", x, row.middle, row.stride);
    x = nonlinear(net, name + "_relu", x, function);
  }
  x = convolution_norm(net, name + "_project", x, row.channels, {}, epsilon);
  const bool same = row.stride == 1 && in_channels == row.channels;
  return same ? net.add(name + "_sum", {x, from}) : x;
}

int block(
    NetworkBuilder& net, const std::string& name, int from, const Row& row, Nonlinearity function) {
  if (row.kind == Row::universal) {
    return universal_block(net, name, from, row, function);
  }
  if (row.kind == Row::attention) {
    return multi_query_attention(net, name, from, row);
  }
  if (row.kind == Row::plain) {
    return active(net, name, from, row.channels, row.middle, row.stride, function);
  }
  const auto wide = net.shape(from).c * row.expansion;
  const int x = active(net, name + "_expand", from, wide, row.middle, row.stride, function);
  return convolution_norm(net, name + "_project", x, row.channels, {}, epsilon);
}

}  // namespace

Network make_mobilenet_v4(int which) {
  const std::array<MobileNetV4, 5> networks{
      {{"mobilenet-v4-small", "MobileNetV4-Conv-S", 224, 32, small_rows()},
       {"mobilenet-v4-medium", "MobileNetV4-Conv-M", 256, 32, medium_rows()},
       {"mobilenet-v4-large", "MobileNetV4-Conv-L", 384, 24, large_rows()},
       {"mobilenet-v4-hybrid-medium", "MobileNetV4-Hybrid-M", 256, 32, hybrid_medium_rows()},
       {"mobilenet-v4-hybrid-large",
        "MobileNetV4-Hybrid-L",
        384,
        24,
        hybrid_large_rows(),
        Activation::gelu}}};
  const auto& shape = networks.at(static_cast<std::size_t>(which));
  NetworkBuilder net(shape.name, shape.title, {3, shape.image, shape.image}, 1000);
  int x = active(net, "stem", net.input(), shape.stem, 3, 2, shape.function);
  int number = 0;
  for (auto row : shape.rows) {
    for (int i = 0; i < row.count; ++i) {
      x = block(net, fmt::format("block{}", ++number), x, row, shape.function);
      row.stride = row.kind == Row::attention ? row.stride : 1;
    }
  }
  x = active(net, "hidden", net.global_average_pool("pool", x), 1280, 1, 1, shape.function);
  return net.finish(net.fully_connected("fc", x, 1000));
}

}  // namespace rightsize
