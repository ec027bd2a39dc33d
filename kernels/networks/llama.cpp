// Llama: Touvron et al., 2023, and "The Llama 3 Herd of Models", 2024. Shapes from the published
// config.json of JackFram/llama-160m, Llama-3.2-1B and Llama-3.1-8B and -70B. The frequency scaling
// that Llama 3.1 and later put on RoPE is left out: it changes angles, not work. Gemma: Gemma Team,
// 2024, "Gemma 2", 2024, and "Gemma 3", 2025.
#include "kernels/networks/llama.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"
#include "kernels/networks/latent_attention.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

constexpr std::int64_t llama3_vocabulary = 128'256;
constexpr std::int64_t llama3_context = 131'072;

int feed_forward(NetworkBuilder& net,
                 const std::string& name,
                 int from,
                 std::int64_t features,
                 Activation gate = Activation::silu) {
  return gated_feed_forward(
      net, name, from, {.width = features, .activation = gate, .biases = false});
}

// What is added to the block: of the experts a token takes, and of the part that all take.
std::vector<int> mixture(NetworkBuilder& net,
                         const MixtureConfig& config,
                         const std::string& name,
                         int from) {
  const auto scores = config.experts + (config.shared_gate ? 1 : 0);
  const int router = net.linear(name + "_router", from, scores, false);
  std::vector<int> parts{net.experts(
      name + "_experts", from, router, {config.experts, config.per_token, config.feed_forward})};
  if (config.shared_feed_forward > 0) {
    parts.push_back(feed_forward(net, name + "_shared", from, config.shared_feed_forward));
  }
  return parts;
}

// Blocks count from 1.
bool has_experts(const MixtureConfig& mixture, int number) {
  const int behind = number - mixture.dense_blocks;
  return mixture.experts > 0 && behind > 0 && behind % mixture.every == 0;
}

// Whether it is among the last ones, which have none either.
bool ends_dense(const LlamaConfig& config, int number) {
  return number > config.layers - config.mixture.dense_end;
}

LlamaBlock block_of(const LlamaConfig& config, int number) {
  return config.blocks.empty() ? LlamaBlock{config.kv_heads, config.feed_forward}
                               : config.blocks[static_cast<std::size_t>(number - 1)];
}

bool is_windowed(const LlamaConfig& config, int number) {
  const auto index = static_cast<std::size_t>(number - 1);
  return index < config.windowed.size() && config.windowed[index];
}

// Queries, keys and values side by side.
int packed(NetworkBuilder& net,
           const LlamaConfig& config,
           std::int64_t kv_heads,
           const std::string& name,
           int from) {
  const auto queries = config.heads * config.head_dim;
  const auto others = 2 * kv_heads * config.head_dim;
  if (config.query_width == 0) {
    return net.linear(name + "_qkv", from, queries + others, config.qkv_bias);
  }
  int x = net.linear(name + "_q_down", from, config.query_width, false);
  x = net.rms_norm(name + "_q_norm", x, static_cast<float>(config.norm_epsilon));
  x = net.linear(name + "_q_up", x, queries, false);
  return net.concat(name + "_qkv", {x, net.linear(name + "_kv", from, others, false)});
}

int attention(NetworkBuilder& net, const LlamaConfig& config, int number, int from) {
  const auto name = fmt::format("block{}", number);
  const auto kv_heads = block_of(config, number).kv_heads;
  const AttentionShape shape{.heads = config.heads,
                             .kv_heads = kv_heads,
                             .head_dim = config.head_dim,
                             .causal = true,
                             .rotary_base = config.rope_theta,
                             .window = is_windowed(config, number) ? config.window : 0};
  const LatentHeads latents{config.latent, config.heads, static_cast<float>(config.norm_epsilon)};
  const int x =
      config.latent.width > 0
          ? attention_to_latents(net, latents, name, from)
          : net.attention(name + "_attention", packed(net, config, kv_heads, name, from), shape);
  return net.linear(name + "_projection", x, config.width, config.projection_bias);
}

int norm(NetworkBuilder& net, const LlamaConfig& config, const std::string& name, int from) {
  return net.rms_norm(name, from, static_cast<float>(config.norm_epsilon));
}

// The feed-forward part, or experts in its place, added to what it read.
int fed(NetworkBuilder& net, const LlamaConfig& config, int number, int from) {
  const auto name = fmt::format("block{}", number);
  const auto features = block_of(config, number).feed_forward;
  const int x = norm(net, config, name + "_norm2", from);
  const bool mixed = has_experts(config.mixture, number) && !ends_dense(config, number);
  auto parts = mixed ? mixture(net, config.mixture, name, x)
                     : std::vector<int>{feed_forward(net, name, x, features, config.gate)};
  if (config.norms_after && !mixed) {
    parts.back() = norm(net, config, name + "_norm2_after", parts.back());
  }
  parts.push_back(from);
  return net.add(name + "_sum2", std::move(parts));
}

int block(NetworkBuilder& net, const LlamaConfig& config, int number, int from) {
  const auto name = fmt::format("block{}", number);
  const auto own = block_of(config, number);
  int y = from;
  if (own.kv_heads > 0) {
    int x = attention(net, config, number, norm(net, config, name + "_norm1", from));
    x = config.norms_after ? norm(net, config, name + "_norm1_after", x) : x;
    y = net.add(name + "_sum1", {x, from});
  }
  return own.feed_forward > 0 ? fed(net, config, number, y) : y;
}

LlamaConfig llama3(const char* name, const char* title, int layers, std::int64_t width) {
  return {.name = name,
          .title = title,
          .layers = layers,
          .width = width,
          .heads = width / 128,
          .kv_heads = 8,
          .head_dim = 128,
          .feed_forward = width * 7 / 2,
          .vocabulary = llama3_vocabulary,
          .context = llama3_context,
          .rope_theta = 500'000};
}

}  // namespace

Network make_llama(const LlamaConfig& config, int sequence) {
  require_context(config.name, sequence, config.context);
  const auto classes = config.embeds ? config.width : config.vocabulary;
  auto net = NetworkBuilder::of_tokens(
      config.name, config.title, sequence, config.vocabulary, static_cast<int>(classes));
  const int tokens = net.embedding("tokens", net.input(), config.vocabulary, config.width);
  int x = tokens;
  for (int i = 1; i <= config.layers; ++i) {
    x = block(net, config, i, x);
  }
  x = net.rms_norm("norm", x, static_cast<float>(config.norm_epsilon));
  x = config.embeds ? net.take_position("last", x, -1)
      : config.tied ? net.tied_linear("head", x, tokens)
                    : net.linear("head", x, config.vocabulary, false);
  auto network = net.finish(x, Optimizer::adam);
  network.notes = config.notes;
  return network;
}

LlamaConfig llama_160m() {
  return {.name = "llama-160m",
          .title = "Llama 160M",
          .layers = 12,
          .width = 768,
          .heads = 12,
          .kv_heads = 12,
          .head_dim = 64,
          .feed_forward = 3072,
          .vocabulary = 32'000,
          .context = 2048,
          .norm_epsilon = 1e-6};
}

LlamaConfig llama_1b() {
  auto config = llama3("llama-1b", "Llama 3.2 1B", 16, 2048);
  config.heads = 32;
  config.head_dim = 64;
  config.feed_forward = 8192;
  config.tied = true;
  return config;
}

LlamaConfig llama_8b() {
  return llama3("llama-8b", "Llama 3.1 8B", 32, 4096);
}

LlamaConfig llama_70b() {
  return llama3("llama-70b", "Llama 3.1 70B", 80, 8192);
}

Network make_llama_160m(int sequence) {
  return make_llama(llama_160m(), sequence);
}

Network make_llama_1b(int sequence) {
  return make_llama(llama_1b(), sequence);
}

Network make_llama_8b(int sequence) {
  return make_llama(llama_8b(), sequence);
}

Network make_llama_70b(int sequence) {
  return make_llama(llama_70b(), sequence);
}

}  // namespace rightsize
