#include "kernels/networks/detection/hgnet_v2.h"

#include <string>

#include <fmt/format.h>

#include "kernels/networks/detection/residual_stages.h"
#include "kernels/networks/image_blocks.h"

namespace rightsize::detection {
namespace {

// Its 2x2 windows fill up below and to the right.
int stem(NetworkBuilder& net, const HgNet& shape) {
  const Window pair{.kernel = 2, .more_pad = 1};
  const int x = conv_norm_relu(net, "stem1", net.input(), shape.stem_inner, three_by_three(2));
  int y = conv_norm_relu(net, "stem2a", x, shape.stem_inner / 2, pair);
  y = conv_norm_relu(net, "stem2b", y, shape.stem_inner, pair);
  y = net.concat("stem2", {net.max_pool("stem2_pool", x, pair), y});
  y = conv_norm_relu(net, "stem3", y, shape.stem_inner, three_by_three(2));
  return conv_norm_relu(net, "stem4", y, shape.stem, {});
}

int layer(NetworkBuilder& net, const std::string& name, int from, std::int64_t inner, bool light) {
  constexpr std::int64_t kernel = 5;
  if (!light) {
    return conv_norm_relu(net, name, from, inner, three_by_three());
  }
  const int x = convolution_norm(net, name + "_matrix", from, inner, {});
  const Window each{.kernel = kernel, .pad = kernel / 2, .groups = inner};
  return conv_norm_relu(net, name, x, inner, each);
}

int block(NetworkBuilder& net,
          const std::string& name,
          int from,
          const HgStage& stage,
          int layers,
          bool light) {
  std::vector<int> joined{from};
  for (int i = 1; i <= layers; ++i) {
    joined.push_back(layer(net, fmt::format("{}_{}", name, i), joined.back(), stage.inner, light));
  }
  int x = net.concat(name + "_joined", joined);
  x = conv_norm_relu(net, name + "_squeeze", x, stage.out / 2, {});
  return conv_norm_relu(net, name + "_excite", x, stage.out, {});
}

}  // namespace

std::vector<int> hg_stages(NetworkBuilder& net, const HgNet& shape) {
  std::vector<int> outputs;
  int x = stem(net, shape);
  for (std::size_t i = 0; i < shape.stages.size(); ++i) {
    const auto& stage = shape.stages[i];
    const auto name = fmt::format("stage{}", i + 1);
    if (i > 0) {
      const auto channels = net.shape(x).c;
      x = convolution_norm(net, name + "_halved", x, channels, three_by_three(2, 1, channels));
    }
    for (int j = 1; j <= stage.blocks; ++j) {
      const auto own = fmt::format("{}_block{}", name, j);
      const int y = block(net, own, x, stage, shape.layers, i >= 2);
      x = j > 1 ? net.add(own + "_sum", {y, x}) : y;
    }
    outputs.push_back(x);
  }
  return outputs;
}

}  // namespace rightsize::detection
