#include "kernels/networks/diffusion/text_encoder.h"

#include <fmt/format.h>

#include "kernels/networks/encoder_decoder/t5.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize::diffusion {

int clip_text(NetworkBuilder& net, const std::string& name, int tokens, const ClipShape& shape) {
  const AttentionShape attention{.heads = shape.heads,
                                 .kv_heads = shape.heads,
                                 .head_dim = shape.width / shape.heads,
                                 .causal = true};
  const FeedForward mlp{.width = 4 * shape.width, .activation = Activation::gelu};
  constexpr float epsilon = 1e-5F;
  int x = net.embedding(name + "_tokens", tokens, clip_vocabulary, shape.width);
  x = net.position_embedding(name + "_positions", x, clip_positions);
  for (int i = 1; i <= shape.depth; ++i) {
    x = pre_norm_block(net, fmt::format("{}_block{}", name, i), x, attention, mlp, epsilon);
  }
  return net.layer_norm(name + "_norm", x, epsilon);
}

int projected_text(NetworkBuilder& net, const std::string& name, int features) {
  const int end = net.take_position(name + "_end", features, -1);
  return net.linear(name + "_projection", end, net.shape(end).c, false);
}

int t5_text(NetworkBuilder& net, const std::string& name, std::int64_t positions) {
  const int ids = net.given(name + "_ids", {1, positions, 1});
  const int words = net.embedding(name + "_tokens", ids, t5_vocabulary, flan_t5_xxl.width);
  return t5_encoder(net, name, words, flan_t5_xxl);
}

}  // namespace rightsize::diffusion
