// The layers of networks that make pictures of noise.
#include <utility>

#include <fmt/format.h>

#include "kernels/networks/builder.h"

namespace rightsize {

int NetworkBuilder::given(const std::string& name, FeatureShape shape) {
  append(name, LayerKind::given, {input()}).out = shape;
  return last();
}

int NetworkBuilder::group_norm(const std::string& name, int from, std::int64_t groups) {
  if (groups < 1 || shape(from).c % groups != 0) {
    refuse(name, fmt::format("{} groups of {} channels", groups, shape(from).c));
  }
  append(name, LayerKind::group_norm, {from}).groups = groups;
  return last();
}

int NetworkBuilder::upsample(const std::string& name, int from, std::int64_t times) {
  if (times < 1) {
    refuse(name, fmt::format("{} times as large", times));
  }
  auto& layer = append(name, LayerKind::upsample, {from});
  layer.kernel_h = times;
  layer.kernel_w = times;
  layer.out.h *= times;
  layer.out.w *= times;
  return last();
}

int NetworkBuilder::gated_gelu(const std::string& name, int from) {
  return gated(name, LayerKind::gated_gelu, from);
}

int NetworkBuilder::join_positions(const std::string& name, std::vector<int> from) {
  auto& layer = append(name, LayerKind::join_positions, std::move(from));
  layer.out.h = 0;
  for (const int input : layer.inputs) {
    const auto& in = shape(input);
    if (in.c != layer.out.c || in.w != 1) {
      refuse(name, fmt::format("{} features beside {}", layer.out.c, in.c));
    }
    layer.out.h += in.h;
  }
  return last();
}

int NetworkBuilder::take_positions(const std::string& name,
                                   int from,
                                   std::int64_t first,
                                   std::int64_t count) {
  const auto in = shape(from);
  if (first < 0 || count < 1 || first > in.h - count || in.w != 1) {
    refuse(name, fmt::format("{} positions from {} on, of {}", count, first, in.h));
  }
  auto& layer = append(name, LayerKind::take_positions, {from});
  layer.position = first;
  layer.out.h = count;
  return last();
}

int NetworkBuilder::shift(const std::string& name, int from, int vector) {
  const auto in = shape(from);
  if (shape(vector) != FeatureShape{in.c, 1, 1}) {
    refuse(name, fmt::format("a shift of {} channels of {}", shape(vector).c, in.c));
  }
  append(name, LayerKind::add, {from, vector});
  return last();
}

int NetworkBuilder::unpatch(const std::string& name,
                            int from,
                            std::int64_t patch,
                            std::int64_t height,
                            std::int64_t width) {
  const auto in = shape(from);
  const FeatureShape out{in.c / (patch * patch), height, width};
  if (out.elements() != in.elements()) {
    refuse(name, fmt::format("{} patches of {} as {}x{}", in.positions(), in.c, height, width));
  }
  append(name, LayerKind::to_image, {from}).out = out;
  return last();
}

int NetworkBuilder::plain_layer_norm(const std::string& name, int from) {
  append(name, LayerKind::layer_norm, {from}).affine = false;
  return last();
}

int NetworkBuilder::head_norm(const std::string& name, int from, std::int64_t heads) {
  if (heads < 1 || shape(from).c % heads != 0) {
    refuse(name, fmt::format("{} heads of {} features", heads, shape(from).c));
  }
  append(name, LayerKind::rms_norm, {from}).heads = heads;
  return last();
}

int NetworkBuilder::attention_to(const std::string& name,
                                 int queries,
                                 int keys_values,
                                 std::int64_t heads) {
  const auto width = shape(queries).c;
  if (heads < 1 || width % heads != 0 || shape(keys_values).c != 2 * width) {
    refuse(name,
           fmt::format("{} heads of {} features, and {} of keys and values",
                       heads,
                       width,
                       shape(keys_values).c));
  }
  auto& layer = append(name, LayerKind::attention, {queries, keys_values});
  layer.heads = heads;
  layer.kv_heads = heads;
  layer.head_dim = width / heads;
  layer.keys = shape(keys_values).positions();
  return last();
}

void NetworkBuilder::repeat(std::int64_t passes, std::int64_t copies) {
  passes_ = passes;
  copies_ = copies;
}

Network NetworkBuilder::finish_denoiser(int from) {
  append("loss", LayerKind::squared_error, {from});
  network_.optimizer = Optimizer::adam;
  return std::move(network_);
}

}  // namespace rightsize
