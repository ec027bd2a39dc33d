// GPT-2: Radford et al., "Language Models are Unsupervised Multitask Learners", 2019; the small
// one: 124 439 808 parameters, the head's matrix is the embedding's table. No dropout, as in the
// released code.
#include "kernels/networks/gpt2.h"

#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {

Network make_gpt(const GptConfig& config, int sequence) {
  constexpr float epsilon = 1e-5F;
  const AttentionShape attention{.heads = config.heads,
                                 .kv_heads = config.heads,
                                 .head_dim = config.width / config.heads,
                                 .causal = true};
  const FeedForward mlp{.width = 4 * config.width, .activation = Activation::gelu_tanh};
  auto net = NetworkBuilder::of_tokens(
      config.name, config.title, sequence, config.vocabulary, static_cast<int>(config.vocabulary));
  const int tokens = net.embedding("tokens", net.input(), config.vocabulary, config.width);
  int x = net.position_embedding("positions", tokens, config.context);
  for (int i = 1; i <= config.layers; ++i) {
    x = pre_norm_block(net, fmt::format("block{}", i), x, attention, mlp, epsilon);
  }
  x = net.layer_norm("norm", x, epsilon);
  x = net.tied_linear("head", x, tokens);
  return net.finish(x, Optimizer::adam);
}

Network make_gpt2(int sequence) {
  return make_gpt(GptConfig{}, sequence);
}

}  // namespace rightsize
