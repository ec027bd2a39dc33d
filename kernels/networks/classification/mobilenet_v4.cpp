// MobileNetV4: Qin et al., "MobileNetV4: Universal Models for the Mobile Ecosystem", ECCV 2024, its
// networks of convolutions alone, as timm's mobilenetv3.py lists their blocks.
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize {
namespace {

constexpr float epsilon = 1e-5F;

// A row of so many equal blocks, of which the first alone may have a stride. Universal inverted
// bottlenecks filter each channel before they widen (`first` x `first`), between (`middle`), both
// or neither; `dense`: one convolution of `middle` widens and filters at once; `plain`: it is all
// there is.
struct Row {
  enum Kind { universal, dense, plain } kind = universal;
  int count = 1;
  std::int64_t first = 0;
  std::int64_t middle = 0;
  std::int64_t stride = 1;
  std::int64_t expansion = 4;
  std::int64_t channels = 0;
};

struct MobileNetV4 {
  const char* name;
  const char* title;
  std::int64_t image;
  std::int64_t stem;
  std::vector<Row> rows;
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
           std::int64_t stride) {
  const Window window{.kernel = kernel, .stride = stride, .pad = kernel / 2};
  return convolution_norm_active(net, name, from, channels, window, std::nullopt, epsilon);
}

int universal_block(NetworkBuilder& net, const std::string& name, int from, const Row& row) {
  const auto in_channels = net.shape(from).c;
  int x = from;
  if (row.first > 0) {
    x = filtered(net, name + "_first", x, row.first, row.middle > 0 ? 1 : row.stride);
  }
  x = active(net, name + "_expand", x, in_channels * row.expansion, 1, 1);
  if (row.middle > 0) {
    x = net.relu(name + "_relu", filtered(net, name + "_middle", x, row.middle, row.stride));
  }
  x = convolution_norm(net, name + "_project", x, row.channels, {}, epsilon);
  const bool same = row.stride == 1 && in_channels == row.channels;
  return same ? net.add(name + "_sum", {x, from}) : x;
}

int block(NetworkBuilder& net, const std::string& name, int from, const Row& row) {
  if (row.kind == Row::universal) {
    return universal_block(net, name, from, row);
  }
  if (row.kind == Row::plain) {
    return active(net, name, from, row.channels, row.middle, row.stride);
  }
  const auto wide = net.shape(from).c * row.expansion;
  const int x = active(net, name + "_expand", from, wide, row.middle, row.stride);
  return convolution_norm(net, name + "_project", x, row.channels, {}, epsilon);
}

}  // namespace

Network make_mobilenet_v4(int which) {
  const std::array<MobileNetV4, 3> networks{
      {{"mobilenet-v4-small", "MobileNetV4-Conv-S", 224, 32, small_rows()},
       {"mobilenet-v4-medium", "MobileNetV4-Conv-M", 256, 32, medium_rows()},
       {"mobilenet-v4-large", "MobileNetV4-Conv-L", 384, 24, large_rows()}}};
  const auto& shape = networks.at(static_cast<std::size_t>(which));
  NetworkBuilder net(shape.name, shape.title, {3, shape.image, shape.image}, 1000);
  int x = active(net, "stem", net.input(), shape.stem, 3, 2);
  int number = 0;
  for (auto row : shape.rows) {
    for (int i = 0; i < row.count; ++i) {
      x = block(net, fmt::format("block{}", ++number), x, row);
      row.stride = 1;
    }
  }
  x = active(net, "hidden", net.global_average_pool("pool", x), 1280, 1, 1);
  return net.finish(net.fully_connected("fc", x, 1000));
}

}  // namespace rightsize
