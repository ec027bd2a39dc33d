#include "kernels/networks/causal.h"

#include <fmt/format.h>

#include "kernels/networks/builder.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

int norm(NetworkBuilder& net, const CausalConfig& config, const std::string& name, int from) {
  const auto epsilon = static_cast<float>(config.norm_epsilon);
  switch (config.norm) {
    case BlockNorm::plain_layer_norm:
      return net.plain_layer_norm(name, from);
    case BlockNorm::rms_norm:
      return net.rms_norm(name, from, epsilon);
    case BlockNorm::layer_norm:
      break;
  }
  return net.layer_norm(name, from, epsilon);
}

// Blocks count from 1.
int attention(NetworkBuilder& net, const CausalConfig& config, int number, int from) {
  const auto name = fmt::format("block{}", number);
  const auto index = static_cast<std::size_t>(number - 1);
  const bool windowed = index < config.windowed.size() && config.windowed[index];
  const auto packed = (config.heads + 2 * config.kv_heads) * config.head_dim;
  int x = net.linear(name + "_qkv", from, packed, config.qkv_bias);
  x = net.attention(name + "_attention",
                    x,
                    {.heads = config.heads,
                     .kv_heads = config.kv_heads,
                     .head_dim = config.head_dim,
                     .causal = true,
                     .rotary_base = config.rotary_base,
                     .window = windowed ? config.window : 0});
  return net.linear(name + "_projection", x, config.width, config.projection_bias);
}

int feed_forward(NetworkBuilder& net, const CausalConfig& config, int number, int from) {
  const auto name = fmt::format("block{}", number);
  const FeedForward options{config.feed_forward, config.activation, config.feed_forward_bias};
  return config.gated ? gated_feed_forward(net, name, from, options)
                      : feed_forward(net, name, from, options);
}

int parallel_block(NetworkBuilder& net, const CausalConfig& config, int number, int from) {
  const auto name = fmt::format("block{}", number);
  const bool two = config.order == BlockOrder::parallel_two_norms;
  const int first = norm(net, config, name + (two ? "_norm1" : "_norm"), from);
  const int attended = attention(net, config, number, first);
  const int second = two ? norm(net, config, name + "_norm2", from) : first;
  return net.add(name + "_sum", {attended, feed_forward(net, config, number, second), from});
}

int sequential_block(NetworkBuilder& net, const CausalConfig& config, int number, int from) {
  const auto name = fmt::format("block{}", number);
  const auto order = config.order;
  // The norm of one of the two parts, in the one place where it lies; elsewhere nothing happens.
  const auto at = [&](BlockOrder place, const char* suffix, int x) {
    return order == place ? norm(net, config, name + suffix, x) : x;
  };
  int x = attention(net, config, number, at(BlockOrder::norms_first, "_norm1", from));
  x = at(BlockOrder::norms_on_branches, "_norm1", x);
  x = net.add(name + "_sum1", {x, from});
  const int y = at(BlockOrder::norms_behind_sums, "_norm1", x);
  x = feed_forward(net, config, number, at(BlockOrder::norms_first, "_norm2", y));
  x = at(BlockOrder::norms_on_branches, "_norm2", x);
  x = net.add(name + "_sum2", {x, y});
  return at(BlockOrder::norms_behind_sums, "_norm2", x);
}

int block(NetworkBuilder& net, const CausalConfig& config, int number, int from) {
  const bool parallel =
      config.order == BlockOrder::parallel || config.order == BlockOrder::parallel_two_norms;
  return parallel ? parallel_block(net, config, number, from)
                  : sequential_block(net, config, number, from);
}

// What the tables make of tokens, as wide as the blocks.
int embedded(NetworkBuilder& net, const CausalConfig& config, int tokens) {
  int x = tokens;
  if (config.word_width > 0) {
    x = net.linear("project_in", x, config.width, false);
  }
  if (config.positions > 0) {
    x = net.position_embedding("positions", x, config.positions);
  }
  return config.embedding_norm ? norm(net, config, "embedding_norm", x) : x;
}

int head(NetworkBuilder& net, const CausalConfig& config, int tokens, int from) {
  int x = config.final_norm ? norm(net, config, "norm", from) : from;
  if (config.word_width > 0) {
    x = net.linear("project_out", x, config.word_width, false);
  }
  return config.tied ? net.tied_linear("head", x, tokens, config.head_bias)
                     : net.linear("head", x, config.vocabulary, config.head_bias);
}

}  // namespace

Network make_causal(const CausalConfig& config, int sequence) {
  require_context(config.name, sequence, config.context);
  auto net = NetworkBuilder::of_tokens(
      config.name, config.title, sequence, config.vocabulary, static_cast<int>(config.vocabulary));
  const int tokens = net.embedding("tokens",
                                   net.input(),
                                   config.vocabulary,
                                   config.word_width > 0 ? config.word_width : config.width);
  int x = embedded(net, config, tokens);
  for (int i = 1; i <= config.layers; ++i) {
    x = block(net, config, i, x);
  }
  auto network = net.finish(head(net, config, tokens, x), Optimizer::adam);
  network.notes = config.notes;
  return network;
}

}  // namespace rightsize
