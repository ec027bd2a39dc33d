#include "kernels/networks/diffusion/text_encoder.h"

#include <fmt/format.h>

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
  constexpr std::int64_t vocabulary = 32128;
  constexpr std::int64_t width = 4096;
  constexpr std::int64_t hidden = 10240;
  constexpr std::int64_t heads = 64;
  constexpr int depth = 24;
  int x = net.given(name + "_ids", {1, positions, 1});
  x = net.embedding(name + "_tokens", x, vocabulary, width);
  for (int i = 1; i <= depth; ++i) {
    const auto block = fmt::format("{}_block{}", name, i);
    int y = net.rms_norm(block + "_norm1", x);
    const int queries = net.linear(block + "_q", y, width, false);
    const int keys_values = net.linear(block + "_kv", y, 2 * width, false);
    y = net.attention_to(block + "_attention", queries, keys_values, heads);
    x = net.add(block + "_sum1", {net.linear(block + "_out", y, width, false), x});
    y = net.rms_norm(block + "_norm2", x);
    y = net.gated_gelu(block + "_gate", net.linear(block + "_up", y, 2 * hidden, false));
    x = net.add(block + "_sum2", {net.linear(block + "_down", y, width, false), x});
  }
  return net.rms_norm(name + "_norm", x);
}

}  // namespace rightsize::diffusion
