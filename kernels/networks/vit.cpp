// ViT: Dosovitskiy et al., "An Image Is Worth 16x16 Words", ICLR 2021, table 1, at 224 x 224
// without dropout: B/16, L/16 and H/14 as torchvision has them, S/16 of Touvron et al., "Training
// Data-Efficient Image Transformers", ICML 2021 (DeiT-S), as timm does.
#include <string>

#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

struct Form {
  std::int64_t patch;
  std::int64_t width;
  int depth;
  std::int64_t heads;
};

Network make_vit(const std::string& name, const std::string& title, const Form& form) {
  constexpr float epsilon = 1e-6F;
  const AttentionShape attention{
      .heads = form.heads, .kv_heads = form.heads, .head_dim = form.width / form.heads};
  const FeedForward mlp{.width = 4 * form.width, .activation = Activation::gelu};
  NetworkBuilder net(name, title, {3, 224, 224}, 1000);
  const Window patches{.kernel = form.patch, .stride = form.patch};
  int x = net.convolution("patches", net.input(), form.width, patches, true);
  x = net.to_sequence("sequence", x);
  x = net.class_token("class", x);
  x = net.position_embedding("positions", x, net.shape(x).positions());
  for (int i = 1; i <= form.depth; ++i) {
    x = pre_norm_block(net, fmt::format("block{}", i), x, attention, mlp, epsilon);
  }
  x = net.layer_norm("norm", x, epsilon);
  x = net.take_position("class_out", x, 0);
  x = net.fully_connected("head", x, 1000);
  return net.finish(x, Optimizer::adam);
}

}  // namespace

Network make_vit_s16() {
  return make_vit("vit-s16", "ViT-S/16", {.patch = 16, .width = 384, .depth = 12, .heads = 6});
}
Network make_vit_b16() {
  return make_vit("vit-b16", "ViT-B/16", {.patch = 16, .width = 768, .depth = 12, .heads = 12});
}
Network make_vit_l16() {
  return make_vit("vit-l16", "ViT-L/16", {.patch = 16, .width = 1024, .depth = 24, .heads = 16});
}
Network make_vit_h14() {
  return make_vit("vit-h14", "ViT-H/14", {.patch = 14, .width = 1280, .depth = 32, .heads = 16});
}

}  // namespace rightsize
