#include "kernels/networks/hybrid.h"

#include <fmt/format.h>

#include "kernels/networks/latent_attention.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

// Blocks and their parts by name.
class HybridBuilder {
 public:
  HybridBuilder(NetworkBuilder& net, const HybridConfig& config) : net_(net), config_(config) {}

  int block(std::size_t index, int from) {
    const auto& block = config_.blocks[index];
    name_ = fmt::format("block{}", index + 1);
    int x = from;
    if (block.mixer != Mixer::none) {
      x = mixed(block.mixer, x);
    }
    return block.feed == FeedKind::none ? x : fed(block.feed, x);
  }

  int norm(const std::string& name, int from) {
    return net_.rms_norm(name, from, static_cast<float>(config_.norm_epsilon));
  }

 private:
  int mixed(Mixer mixer, int from) {
    const int x = norm(name_ + "_norm1", from);
    std::vector<int> parts;
    if (mixer != Mixer::recurrence) {
      parts.push_back(attention(x));
    }
    if (mixer != Mixer::attention) {
      parts.push_back(recurrence(x));
    }
    parts.push_back(from);
    return net_.add(name_ + "_sum1", std::move(parts));
  }

  int attention(int from) {
    if (config_.latent.width > 0) {
      const LatentHeads latents{
          config_.latent, config_.heads, static_cast<float>(config_.norm_epsilon)};
      const int x = attention_to_latents(net_, latents, name_, from);
      return net_.linear(name_ + "_projection", x, config_.width, false);
    }
    const auto heads = config_.heads * config_.head_dim;
    const auto packed = heads + 2 * config_.kv_heads * config_.head_dim;
    int x = net_.linear(name_ + "_qkv", from, packed, config_.qkv_bias);
    x = net_.attention(name_ + "_attention",
                       x,
                       {.heads = config_.heads,
                        .kv_heads = config_.kv_heads,
                        .head_dim = config_.head_dim,
                        .causal = true,
                        .rotary_base = config_.rotary_base});
    if (config_.gated_attention) {
      int gate = net_.linear(name_ + "_gate", from, heads, config_.qkv_bias);
      gate = net_.activation(name_ + "_gate_sigmoid", gate, Activation::sigmoid);
      x = net_.multiply(name_ + "_gated", x, gate);
    }
    return net_.linear(name_ + "_projection", x, config_.width, config_.qkv_bias);
  }

  // Of what a position's gate and factors are made of first, where these are few features.
  int through_few(const char* part, std::int64_t features, int from) {
    const auto name = name_ + part;
    const int x = net_.linear(name + "_down", from, config_.gate_rank, false);
    return net_.linear(name + "_up", x, features, false);
  }

  int packed_state(int from) {
    const auto& shape = config_.recurrence;
    if (config_.gate_rank == 0) {
      return net_.linear(
          name_ + "_state_in", from, packed_features(shape), config_.projection_bias);
    }
    const auto out = shape.heads * shape.head_dim;
    const auto keys = shape.heads * shape.state_dim;
    const int gate = through_few("_state_gate", out, from);
    const int factors = through_few("_state_factors", keys, from);
    const auto others = packed_features(shape) - out - keys;
    const int mixed = net_.linear(name_ + "_state_in", from, others, config_.projection_bias);
    return net_.concat(name_ + "_state_packed", {gate, mixed, factors});
  }

  int recurrence(int from) {
    int x = packed_state(from);
    x = net_.linear_recurrence(name_ + "_state", x, config_.recurrence);
    return net_.linear(name_ + "_state_out", x, config_.width, config_.projection_bias);
  }

  int fed(FeedKind kind, int from) {
    const int x = norm(name_ + "_norm2", from);
    auto parts = kind == FeedKind::experts
                     ? mixture(x)
                     : std::vector<int>{dense(name_, x, config_.feed_forward)};
    parts.push_back(from);
    return net_.add(name_ + "_sum2", std::move(parts));
  }

  int dense(const std::string& name, int from, std::int64_t features) {
    const FeedForward options{
        features, config_.gated ? Activation::silu : Activation::squared_relu, false};
    return config_.gated ? gated_feed_forward(net_, name, from, options)
                         : feed_forward(net_, name, from, options);
  }

  std::vector<int> mixture(int from) {
    const auto& mixture = config_.mixture;
    const auto scores = mixture.experts + (mixture.shared_gate ? 1 : 0);
    const int router = net_.linear(name_ + "_router", from, scores, false);
    const bool narrow = config_.expert_width > 0;
    int x = narrow ? net_.linear(name_ + "_experts_in", from, config_.expert_width, false) : from;
    x = net_.experts(name_ + "_experts",
                     x,
                     router,
                     {mixture.experts, mixture.per_token, mixture.feed_forward, config_.gated});
    x = narrow ? net_.linear(name_ + "_experts_out", x, config_.width, false) : x;
    std::vector<int> parts{x};
    if (mixture.shared_feed_forward > 0) {
      parts.push_back(dense(name_ + "_shared", from, mixture.shared_feed_forward));
    }
    return parts;
  }

  NetworkBuilder& net_;
  const HybridConfig& config_;
  std::string name_;  // of the block at hand
};

}  // namespace

Network make_hybrid(const HybridConfig& config, int sequence) {
  require_context(config.name, sequence, config.context);
  auto net = NetworkBuilder::of_tokens(
      config.name, config.title, sequence, config.vocabulary, static_cast<int>(config.vocabulary));
  const int tokens = net.embedding("tokens", net.input(), config.vocabulary, config.width);
  HybridBuilder builder(net, config);
  int x = tokens;
  for (std::size_t i = 0; i < config.blocks.size(); ++i) {
    x = builder.block(i, x);
  }
  x = config.final_norm ? builder.norm("norm", x) : x;
  x = config.tied ? net.tied_linear("head", x, tokens)
                  : net.linear("head", x, config.vocabulary, false);
  auto network = net.finish(x, Optimizer::adam);
  network.notes = config.notes;
  return network;
}

}  // namespace rightsize
