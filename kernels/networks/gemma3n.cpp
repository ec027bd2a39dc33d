#include "kernels/networks/gemma3n.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/networks/block_fields.h"
#include "kernels/networks/builder.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

class Gemma3nBuilder {
 public:
  Gemma3nBuilder(NetworkBuilder& net, const Gemma3nConfig& config) : net_(net), config_(config) {}

  // Blocks count from 1.
  int block(int number, int from) {
    name_ = fmt::format("block{}", number);
    const int x = norm("_norm1", from);
    std::vector<int> parts{norm("_norm1_after", attention(number, x)), from};
    if (config_.branch_rank > 0) {
      parts.insert(parts.begin() + 1, beside(x));
    }
    int y = net_.add(name_ + "_sum1", parts);
    y = net_.add(name_ + "_sum2", {norm("_norm2_after", fed(number, y)), y});
    return config_.block_width > 0 ? net_.add(name_ + "_sum3", {own_row(y), y}) : y;
  }

 private:
  int norm(const char* suffix, int from) {
    return net_.rms_norm(name_ + suffix, from, static_cast<float>(config_.norm_epsilon));
  }

  // Keys and values of the blocks at the end are those of the last other one that sees as far.
  int attention(int number, int from) {
    const bool windowed = config_.windowed.at(static_cast<std::size_t>(number - 1));
    const auto own = [&](std::int64_t whole, std::int64_t usual) {
      return !windowed && whole > 0 ? whole : usual;
    };
    const AttentionShape shape{.heads = config_.heads,
                               .kv_heads = own(config_.whole_kv_heads, config_.kv_heads),
                               .head_dim = own(config_.whole_head_dim, config_.head_dim),
                               .causal = true,
                               .rotary_base = config_.rope_theta,
                               .window = windowed ? config_.window : 0};
    int& cached = windowed ? windowed_cache_ : whole_cache_;
    int x = 0;
    if (is_shared(number)) {
      x = net_.linear(name_ + "_q", from, shape.heads * shape.head_dim, false);
      x = net_.attention_beside(name_ + "_attention", x, cached, shape);
    } else {
      x = packed(from, shape, config_.values_are_keys && !windowed);
      x = net_.attention(name_ + "_attention", x, shape);
      cached = x;
    }
    return net_.linear(name_ + "_projection", x, config_.width, false);
  }

  [[nodiscard]] bool is_shared(int number) const {
    return number > config_.layers - config_.shared;
  }

  // Queries, keys and values side by side.
  int packed(int from, const AttentionShape& shape, bool values_are_keys) {
    const auto queries = shape.heads * shape.head_dim;
    const auto keys = shape.kv_heads * shape.head_dim;
    if (!values_are_keys) {
      return net_.linear(name_ + "_qkv", from, queries + 2 * keys, false);
    }
    const int x = net_.linear(name_ + "_q", from, queries, false);
    const int y = net_.linear(name_ + "_k", from, keys, false);
    return net_.concat(name_ + "_qkv", {x, y, y});
  }

  int beside(int from) {
    const int x = net_.linear(name_ + "_laurel_down", from, config_.branch_rank, false);
    return norm("_laurel_norm", net_.linear(name_ + "_laurel_up", x, config_.width, false));
  }

  int fed(int number, int from) {
    const bool wide = config_.shared_are_wide && is_shared(number);
    const int x = gated_feed_forward(net_,
                                     name_,
                                     norm("_norm2", from),
                                     {.width = config_.feed_forward * (wide ? 2 : 1),
                                      .activation = Activation::gelu_tanh,
                                      .biases = false});
    if (config_.mixture.experts == 0) {
      return x;
    }
    const int taken = net_.linear(name_ + "_router", from, config_.mixture.experts, false);
    const int made = net_.experts(
        name_ + "_experts",
        norm("_norm3", from),
        taken,
        {config_.mixture.experts, config_.mixture.per_token, config_.mixture.feed_forward});
    return net_.add(name_ + "_both", {norm("_fed_norm", x), norm("_experts_norm", made)});
  }

  // A row of the block's own table, and what the position makes beside it, weighed by the position.
  int own_row(int from) {
    const int row = net_.embedding(
        name_ + "_table", net_.input(), config_.block_vocabulary, config_.block_width);
    const int made = net_.linear(name_ + "_row", from, config_.block_width, false);
    const int both = net_.add(name_ + "_row_sum", {row, made});
    int x = net_.linear(name_ + "_row_gate", from, config_.block_width, false);
    x = net_.activation(name_ + "_row_gelu", x, Activation::gelu_tanh);
    x = net_.multiply(name_ + "_row_gated", x, both);
    x = net_.linear(name_ + "_row_up", x, config_.width, false);
    return norm("_row_norm", x);
  }

  NetworkBuilder& net_;
  const Gemma3nConfig& config_;
  std::string name_;  // of the block at hand
  int windowed_cache_ = 0;
  int whole_cache_ = 0;
};

// Between the table and the blocks, or behind these: a matrix for each stream but the first.
int through_streams(NetworkBuilder& net, const Gemma3nConfig& config, const char* name, int from) {
  int x = from;
  for (std::int64_t i = 1; i < config.streams; ++i) {
    x = net.linear(fmt::format("{}{}", name, i), x, config.width, false);
  }
  return x;
}

}  // namespace

void require_shape(const ConfigFile& file, const Gemma3nConfig& config) {
  require_blocks(file, config.layers, config.heads, config.kv_heads);
  const auto first_shared = config.layers - config.shared;
  const auto begin = config.windowed.begin();
  const auto end = begin + std::max(0, first_shared);
  if (std::find(begin, end, true) == end || std::find(begin, end, false) == end) {
    file.fail("num_kv_shared_layers",
              fmt::format("is {}, which leaves no layer of either kind that caches keys and values",
                          config.shared));
  }
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  const double width = real(config.width);
  const double heads = real(2 * config.heads + 2 * config.kv_heads) *
                       real(std::max(config.head_dim, config.whole_head_dim));
  const double fed = real(config.feed_forward) * (config.shared_are_wide ? 2 : 1) +
                     real(config.mixture.experts) * real(config.mixture.feed_forward);
  const double made = heads + 3 * fed + 2 * real(config.branch_rank);
  const double rows = real(config.block_vocabulary) * real(config.block_width);
  file.require_countable(
      {.parameters = config.layers * (width * (made + 3 * real(config.block_width)) + rows) +
                     real(config.vocabulary) * width,
       .elements = real(config.context) *
                   (config.layers * (12 * width + 2 * made) + 2 * real(config.vocabulary)),
       .products = real(config.context) * width * std::max(made, real(config.vocabulary)),
       .context = config.context});
}

Network make_gemma3n(const Gemma3nConfig& config, int sequence) {
  require_context(config.name, sequence, config.context);
  auto net = NetworkBuilder::of_tokens(
      config.name, config.title, sequence, config.vocabulary, static_cast<int>(config.vocabulary));
  const int tokens = net.embedding("tokens", net.input(), config.vocabulary, config.width);
  int x = through_streams(net, config, "stream", tokens);
  Gemma3nBuilder builder(net, config);
  for (int i = 1; i <= config.layers; ++i) {
    x = builder.block(i, x);
  }
  x = through_streams(net, config, "unstream", x);
  x = net.rms_norm("norm", x, static_cast<float>(config.norm_epsilon));
  auto network = net.finish(net.tied_linear("head", x, tokens), Optimizer::adam);
  network.notes = config.notes;
  return network;
}

bool is_gemma3n(const ConfigFile& file) {
  const auto type = file.word_or("model_type", "");
  return type == "gemma3n" || type == gemma3n_type;
}

Gemma3nConfig read_gemma3n(ConfigFile file, const std::string& name) {
  const bool sees = file.says("model_type", "gemma3n");
  if (sees && !file.enter("text_config")) {
    file.fail("text_config", "is not given, or no object of fields");
  }
  file.use_one("intermediate_size");
  file.suppose("model_type", gemma3n_type);
  Gemma3nConfig config{.name = name,
                       .title = "Gemma-3n-style",
                       .layers = static_cast<int>(file.positive("num_hidden_layers")),
                       .width = file.positive("hidden_size"),
                       .heads = file.positive("num_attention_heads"),
                       .kv_heads = file.positive("num_key_value_heads"),
                       .head_dim = file.positive_or("head_dim", 256),
                       .feed_forward = file.positive("intermediate_size"),
                       .vocabulary = file.positive("vocab_size", ConfigFile::most_tokens)};
  config.context =
      file.positive_or("max_position_embeddings", config.context, ConfigFile::most_tokens);
  config.block_vocabulary =
      file.positive_or("vocab_size_per_layer_input", 262'144, ConfigFile::most_tokens);
  config.block_width = file.positive_or("hidden_size_per_layer_input", 256);
  config.streams = file.positive_or("altup_num_inputs", 4);
  config.branch_rank = file.positive_or("laurel_rank", 64);
  config.shared = static_cast<int>(file.count_or("num_kv_shared_layers", 15));
  config.norm_epsilon = file.number_or("rms_norm_eps", 1e-6);
  auto windows = read_windows(file, config.layers, config.context);
  config.window = windows.width;
  config.windowed = std::move(windows.blocks);
  config.notes = {
      "the three further streams of each position (AltUp) are left out but for the matrices at "
      "either end, and so are the keys and values that blocks without a cache have matrices for",
      "the tables of its blocks, which may lie in the host's memory, are counted on the GPU"};
  if (sees) {
    config.notes.emplace_back("what it sees or hears with is left out: its text alone is counted");
  }
  require_shape(file, config);
  return config;
}

}  // namespace rightsize
