// What became of ViT (Dosovitskiy et al., ICLR 2021) as classifiers, as timm's
// vision_transformer.py, beit.py and eva.py have them: BEiT (Bao et al., ICLR 2022, and BEiT v2,
// 2022), whose positions are biases of scores, which have no layer, and EVA-02 (Fang et al., 2023),
// with rotary positions, gated feed-forward parts and, where it is larger, norms inside them.
// Layer scale, one factor a channel of a branch, has no layer either.
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

constexpr float epsilon = 1e-6F;

enum class Kind { vit, beit, eva02, eva02_normed };

struct Variant {
  const char* name;
  const char* title;
  Kind kind;
  std::int64_t patch;
  std::int64_t width;
  int depth;
  std::int64_t image = 224;
};

// The order of classifiers.cpp.
constexpr std::array<Variant, 11> networks{{
    {"vit-ti16", "ViT-Ti/16", Kind::vit, 16, 192, 12},
    {"vit-b32", "ViT-B/32", Kind::vit, 32, 768, 12},
    {"vit-b8", "ViT-B/8", Kind::vit, 8, 768, 12},
    {"vit-l32", "ViT-L/32", Kind::vit, 32, 1024, 24},
    {"beit-base", "BEiT-B/16", Kind::beit, 16, 768, 12},
    {"beit-large", "BEiT-L/16", Kind::beit, 16, 1024, 24},
    {"eva02-tiny", "EVA-02-Ti/14", Kind::eva02, 14, 192, 12},
    {"eva02-small", "EVA-02-S/14", Kind::eva02, 14, 384, 12},
    {"eva02-base", "EVA-02-B/14", Kind::eva02_normed, 14, 768, 12, 448},
    {"eva02-large", "EVA-02-L/14", Kind::eva02_normed, 14, 1024, 24, 448},
    {"eva-giant", "EVA-g/14", Kind::vit, 14, 1408, 40},
}};

bool is_eva02(Kind kind) {
  return kind == Kind::eva02 || kind == Kind::eva02_normed;
}

// SwiGLU of two thirds of the usual width.
int gated_part(NetworkBuilder& net, const std::string& name, Kind kind, int from) {
  const auto width = net.shape(from).c;
  const auto hidden = static_cast<std::int64_t>(static_cast<double>(width) * 4 * 2 / 3);
  int x = net.gated_silu(name + "_gated", net.linear(name + "_gate_up", from, 2 * hidden, true));
  x = kind == Kind::eva02_normed ? net.layer_norm(name + "_inner_norm", x, epsilon) : x;
  return net.linear(name + "_down", x, width, true);
}

int block(NetworkBuilder& net, const std::string& name, const Variant& shape, int from) {
  constexpr double any_base = 100;  // angles are of both sides of an image, which is no other work
  constexpr std::int64_t giant = 1408;
  const auto heads = shape.width == giant ? 16 : shape.width / 64;
  const AttentionShape attention{.heads = heads,
                                 .kv_heads = heads,
                                 .head_dim = shape.width / heads,
                                 .rotary_base = is_eva02(shape.kind) ? any_base : 0};
  const FeedForward fed{.width = shape.width == giant ? 6144 : 4 * shape.width};
  int x = net.layer_norm(name + "_norm1", from, epsilon);
  x = net.add(name + "_sum1", {self_attention(net, name, x, attention), from});
  const int y = net.layer_norm(name + "_norm2", x, epsilon);
  return net.add(name + "_sum2",
                 {is_eva02(shape.kind) ? gated_part(net, name, shape.kind, y)
                                       : feed_forward(net, name, y, fed),
                  x});
}

std::vector<std::string> notes_of(Kind kind) {
  switch (kind) {
    case Kind::vit:
      return {};
    case Kind::beit:
      return {
          "its biases of scores by distance and its layer scale are left out (less than 0.3 % of "
          "the parameters)"};
    default:
      return {
          "keys have biases here, as queries and values do (less than 0.1 % of the parameters)"};
  }
}

}  // namespace

Network make_vit_variant(int which) {
  const auto& shape = networks.at(static_cast<std::size_t>(which));
  NetworkBuilder net(shape.name, shape.title, {3, shape.image, shape.image}, 1000);
  const Window patches{.kernel = shape.patch, .stride = shape.patch};
  int x = net.convolution("patches", net.input(), shape.width, patches, true);
  x = net.class_token("class", net.to_sequence("sequence", x));
  if (shape.kind != Kind::beit) {
    x = net.position_embedding("positions", x, net.shape(x).positions());
  }
  for (int i = 1; i <= shape.depth; ++i) {
    x = block(net, fmt::format("block{}", i), shape, x);
  }
  x = shape.kind == Kind::vit
          ? net.take_position("class_out", net.layer_norm("norm", x, epsilon), 0)
          : net.layer_norm("norm", net.global_average_pool("pool", x), epsilon);
  auto network = net.finish(net.fully_connected("head", x, 1000), Optimizer::adam);
  network.notes = notes_of(shape.kind);
  return network;
}

}  // namespace rightsize
