// What MobileNetV4's hybrids have beside convolutions (mobilenet_v4.h), and their rows.
#include "kernels/networks/classification/mobilenet_v4.h"

namespace rightsize::mobilenet_v4 {
namespace {

// The key or the value of each position that is looked at.
int looked_at(NetworkBuilder& net, const std::string& name, int from, const Row& row) {
  int x = from;
  if (row.stride > 1) {
    const auto channels = net.shape(from).c;
    const Window smaller{.kernel = 3, .stride = row.stride, .pad = 1, .groups = channels};
    x = convolution_norm(net, name + "_smaller", from, channels, smaller, epsilon);
  }
  x = net.convolution(name, x, row.middle, {}, false);
  return net.to_sequence(name + "_sequence", x);
}

}  // namespace

int multi_query_attention(NetworkBuilder& net, const std::string& name, int from, const Row& row) {
  const auto shape = net.shape(from);
  const auto heads = row.first;
  const int x = net.batch_norm(name + "_norm", from, epsilon);
  const int asked = net.convolution(name + "_q", x, heads * row.middle, {}, false);
  const int queries = net.to_sequence(name + "_q_sequence", asked);
  const int keys = looked_at(net, name + "_k", x, row);
  const int values = looked_at(net, name + "_v", x, row);
  int seen = 0;
  if (row.stride > 1) {  // each head has its copy of them: a thousandth of the work
    std::vector<int> copies(static_cast<std::size_t>(heads), keys);
    copies.insert(copies.end(), static_cast<std::size_t>(heads), values);
    seen = net.attention_to(name + "_attention", queries, net.concat(name + "_kv", copies), heads);
  } else {
    seen = net.attention(name + "_attention",
                         net.concat(name + "_qkv", {queries, keys, values}),
                         {.heads = heads, .kv_heads = 1, .head_dim = row.middle});
  }
  const int image = net.to_image(name + "_image", seen, shape.h, shape.w);
  return net.add(name + "_sum",
                 {net.convolution(name + "_projection", image, shape.c, {}, false), from});
}

std::vector<Row> hybrid_medium_rows() {
  using enum Row::Kind;
  return {{dense, 1, 0, 3, 2, 4, 48},       {universal, 1, 3, 5, 2, 4, 80},
          {universal, 1, 3, 3, 1, 2, 80},   {universal, 1, 3, 5, 2, 6, 160},
          {universal, 1, 0, 0, 1, 2, 160},  {universal, 1, 3, 3, 1, 4, 160},
          {universal, 1, 3, 5, 1, 4, 160},  {attention, 1, 4, 64, 2, 1, 160},
          {universal, 1, 3, 3, 1, 4, 160},  {attention, 1, 4, 64, 2, 1, 160},
          {universal, 1, 3, 0, 1, 4, 160},  {attention, 1, 4, 64, 2, 1, 160},
          {universal, 1, 3, 3, 1, 4, 160},  {attention, 1, 4, 64, 2, 1, 160},
          {universal, 1, 3, 0, 1, 4, 160},  {universal, 1, 5, 5, 2, 6, 256},
          {universal, 1, 5, 5, 1, 4, 256},  {universal, 2, 3, 5, 1, 4, 256},
          {universal, 1, 0, 0, 1, 2, 256},  {universal, 1, 3, 5, 1, 2, 256},
          {universal, 1, 0, 0, 1, 2, 256},  {universal, 1, 0, 0, 1, 4, 256},
          {attention, 1, 4, 64, 1, 1, 256}, {universal, 1, 3, 0, 1, 4, 256},
          {attention, 1, 4, 64, 1, 1, 256}, {universal, 1, 5, 5, 1, 4, 256},
          {attention, 1, 4, 64, 1, 1, 256}, {universal, 1, 5, 0, 1, 4, 256},
          {attention, 1, 4, 64, 1, 1, 256}, {universal, 1, 5, 0, 1, 4, 256},
          {plain, 1, 0, 1, 1, 1, 960}};
}

std::vector<Row> hybrid_large_rows() {
  using enum Row::Kind;
  return {{dense, 1, 0, 3, 2, 4, 48},      {universal, 1, 3, 5, 2, 4, 96},
          {universal, 1, 3, 3, 1, 4, 96},  {universal, 1, 3, 5, 2, 4, 192},
          {universal, 3, 3, 3, 1, 4, 192}, {universal, 1, 3, 5, 1, 4, 192},
          {universal, 2, 5, 3, 1, 4, 192}, {attention, 1, 8, 48, 2, 1, 192},
          {universal, 1, 5, 3, 1, 4, 192}, {attention, 1, 8, 48, 2, 1, 192},
          {universal, 1, 5, 3, 1, 4, 192}, {attention, 1, 8, 48, 2, 1, 192},
          {universal, 1, 5, 3, 1, 4, 192}, {attention, 1, 8, 48, 2, 1, 192},
          {universal, 1, 3, 0, 1, 4, 192}, {universal, 4, 5, 5, 2, 4, 512},
          {universal, 1, 5, 0, 1, 4, 512}, {universal, 1, 5, 3, 1, 4, 512},
          {universal, 2, 5, 0, 1, 4, 512}, {universal, 1, 5, 3, 1, 4, 512},
          {universal, 1, 5, 5, 1, 4, 512}, {attention, 1, 8, 64, 1, 1, 512},
          {universal, 1, 5, 0, 1, 4, 512}, {attention, 1, 8, 64, 1, 1, 512},
          {universal, 1, 5, 0, 1, 4, 512}, {attention, 1, 8, 64, 1, 1, 512},
          {universal, 1, 5, 0, 1, 4, 512}, {attention, 1, 8, 64, 1, 1, 512},
          {universal, 1, 5, 0, 1, 4, 512}, {plain, 1, 0, 1, 1, 1, 960}};
}

}  // namespace rightsize::mobilenet_v4
