#include "kernels/networks/classification/hiera.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/classification/windows.h"

namespace rightsize {
namespace {

constexpr float epsilon = 1e-6F;

// The largest of four neighbours.
int pooled(NetworkBuilder& net, const std::string& name, int from) {
  const auto side = std::llround(std::sqrt(static_cast<double>(net.shape(from).positions())));
  const int image = net.to_image(name + "_image", from, side, side);
  const int x = net.max_pool(name + "_pool", image, {.kernel = 2, .stride = 2});
  return net.to_sequence(name + "_sequence", x);
}

int widened(NetworkBuilder& net, const std::string& name, int from) {
  return pooled(net, name, net.linear(name, from, 2 * net.shape(from).c, true));
}

// The largest of four neighbours, and their mean: twice the features without a matrix.
int pooled_twice(NetworkBuilder& net, const std::string& name, int from) {
  const auto side = std::llround(std::sqrt(static_cast<double>(net.shape(from).positions())));
  const int image = net.to_image(name + "_image", from, side, side);
  const Window four{.kernel = 2, .stride = 2};
  const int x = net.concat(
      name + "_pools",
      {net.max_pool(name + "_max", image, four), net.average_pool(name + "_mean", image, four)});
  return net.to_sequence(name + "_sequence", x);
}

int fed(NetworkBuilder& net, const std::string& name, int from) {
  const int x = net.layer_norm(name + "_norm2", from, epsilon);
  const FeedForward part{.width = 4 * net.shape(from).c};
  return net.add(name + "_sum2", {feed_forward(net, name, x, part), from});
}

// A quarter of the positions ask, for twice the features. Where they see windows, keys and values
// are pooled as they are: what a question sees is as much as before.
int asked(NetworkBuilder& net,
          const std::string& name,
          int from,
          std::int64_t heads,
          std::int64_t window,
          bool cuts) {
  const auto width = 2 * net.shape(from).c;
  const auto seen = window * window;
  const int packed = net.linear(name + "_qkv", from, 3 * width, true);
  int x = 0;
  if (window > 0) {
    const int few = pooled(net, name + "_asked", packed);
    const bool all = net.shape(few).positions() <= seen;
    x = net.attention(name + "_attention",
                      few,
                      {.heads = heads,
                       .kv_heads = heads,
                       .head_dim = width / heads,
                       .rotary_base = cuts ? unwritten_base : 0,
                       .window = all ? 0 : seen + 1});
  } else {
    const int queries = net.take_channels(name + "_q", packed, 0, width);
    const int pairs = net.take_channels(name + "_kv", packed, width, 2 * width);
    x = net.attention_to(name + "_attention", pooled(net, name + "_asked", queries), pairs, heads);
  }
  return net.linear(name + "_projection", x, width, true);
}

int first_block(NetworkBuilder& net,
                const std::string& name,
                int from,
                std::int64_t heads,
                std::int64_t window,
                const HieraShape& shape) {
  const int normed = net.layer_norm(name + "_norm1", from, epsilon);
  const int shortcut = shape.widens ? widened(net, name + "_shortcut", normed)
                                    : pooled_twice(net, name + "_shortcut", from);
  return fed(
      net,
      name,
      net.add(name + "_sum1", {asked(net, name, normed, heads, window, shape.cuts), shortcut}));
}

int block(NetworkBuilder& net,
          const std::string& name,
          int from,
          std::int64_t heads,
          std::int64_t window,
          bool cuts) {
  const auto in = net.shape(from);
  const AttentionShape all{.heads = heads, .kv_heads = heads, .head_dim = in.c / heads};
  const bool whole = window == 0 || in.positions() <= window * window;
  int x = net.layer_norm(name + "_norm1", from, epsilon);
  x = whole ? self_attention(net, name, x, all)
            : window_attention(net,
                               name,
                               x,
                               {.heads = heads,
                                .seen = window * window,
                                .copies = cuts ? 1 : 0,
                                .written = !cuts});
  return fed(net, name, net.add(name + "_sum1", {x, from}));
}

struct Sized {
  const char* name;
  const char* title;
  std::int64_t width;
  std::int64_t heads;
  std::array<int, 4> blocks;
  std::int64_t image = 224;
  bool table = true;   // of positions; else one of a window and one of 14 x 14 or 16 x 16 windows,
                       // which are stretched over all and have no layer here (0.1 %), nor has
                       // layer scale, which these have as well
  bool widens = true;  // HieraShape::widens
};

// The order of further_classifiers.cpp.
constexpr std::array<Sized, 8> networks{
    {{"hiera-tiny", "Hiera-T", 96, 1, {1, 2, 7, 2}},
     {"hiera-small", "Hiera-S", 96, 1, {1, 2, 11, 2}},
     {"hiera-base", "Hiera-B", 96, 1, {2, 3, 16, 3}},
     {"hiera-base-plus", "Hiera-B plus", 112, 2, {2, 3, 16, 3}},
     {"hiera-large", "Hiera-L", 144, 2, {2, 6, 36, 4}},
     {"hiera-huge", "Hiera-H", 256, 4, {2, 6, 36, 4}},
     {"hiera-small-abswin", "Hiera-S, absolute windows", 96, 1, {1, 2, 11, 2}, 256, false, false},
     {"hiera-base-abswin", "Hiera-B, absolute windows", 96, 1, {2, 3, 16, 3}, 256, false}}};

}  // namespace

int hiera_patches(NetworkBuilder& net, const HieraShape& shape) {
  const Window patches{.kernel = 7, .stride = 4, .pad = 3};
  return net.to_sequence("sequence",
                         net.convolution("patches", net.input(), shape.width, patches, true));
}

std::vector<int> hiera_stages(NetworkBuilder& net, const HieraShape& shape, int from) {
  std::vector<int> outputs;
  int x = from;
  int number = 0;
  for (std::size_t stage = 0; stage < shape.blocks.size(); ++stage) {
    const auto heads = shape.heads << stage;
    for (int i = 0; i < shape.blocks[stage]; ++i, ++number) {
      const bool first = stage > 0 && i == 0;  // its windows are those of the stage before
      const bool whole =
          std::find(shape.whole.begin(), shape.whole.end(), number) != shape.whole.end();
      const auto window = whole ? 0 : shape.windows.at(first ? stage - 1 : stage);
      const auto name = fmt::format("stage{}_{}", stage + 1, i + 1);
      x = first ? first_block(net, name, x, heads, window, shape)
                : block(net, name, x, heads, window, shape.cuts);
    }
    outputs.push_back(x);
  }
  return outputs;
}

Network make_hiera(int which, int size) {
  const auto& sized = networks.at(static_cast<std::size_t>(which));
  const auto image = asked_side(sized.name, size, sized.image, 32);
  const HieraShape shape{
      .width = sized.width, .heads = sized.heads, .blocks = sized.blocks, .widens = sized.widens};
  NetworkBuilder net(sized.name, sized.title, {3, image, image}, 1000);
  int x = hiera_patches(net, shape);
  x = sized.table ? net.position_embedding("positions", x, net.shape(x).positions()) : x;
  x = net.global_average_pool("pool", hiera_stages(net, shape, x).back());
  x = net.layer_norm("norm", x, epsilon);
  auto network = net.finish(net.fully_connected("head", x, 1000), Optimizer::adam);
  network.notes.emplace_back(
      "windows are so many positions in a row here: as many products; their scores are written, as "
      "PyTorch's fused attention does not take windows as these lie: on newer GPUs it runs up to "
      "twice as slow as said");
  return network;
}

}  // namespace rightsize
