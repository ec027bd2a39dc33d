// ViT: Dosovitskiy et al., "An Image Is Worth 16x16 Words", ICLR 2021; B/16 at 224 x 224 as in
// torchvision's vit_b_16: 86 567 656 parameters, no dropout.
#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {

Network make_vit_b16() {
  constexpr std::int64_t width = 768;
  constexpr int depth = 12;
  constexpr float epsilon = 1e-6F;
  const AttentionShape attention{.heads = 12, .kv_heads = 12, .head_dim = 64};
  const FeedForward mlp{.width = 3072, .activation = Activation::gelu};
  NetworkBuilder net("vit-b16", "ViT-B/16", {3, 224, 224}, 1000);
  int x = net.convolution("patches", net.input(), width, {.kernel = 16, .stride = 16}, true);
  x = net.to_sequence("sequence", x);
  x = net.class_token("class", x);
  x = net.position_embedding("positions", x, net.shape(x).positions());
  for (int i = 1; i <= depth; ++i) {
    x = pre_norm_block(net, fmt::format("block{}", i), x, attention, mlp, epsilon);
  }
  x = net.layer_norm("norm", x, epsilon);
  x = net.take_position("class_out", x, 0);
  x = net.fully_connected("head", x, 1000);
  return net.finish(x, Optimizer::adam);
}

}  // namespace rightsize
