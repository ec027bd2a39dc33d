// Language models of one block in several orders, as numbers, and their config.json: GPT-2 and what
// followed it beside Llama (OPT, GPT-Neo, GPT-J, GPT-NeoX, BLOOM, Falcon, MPT, Phi, StarCoder,
// StableLM, Command R, OLMo). "Causal" is what Hugging Face's classes are called by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/network.h"

namespace rightsize {

class ConfigFile;

// Where a block's norms lie; A is attention, F the feed-forward part.
enum class BlockOrder {
  norms_first,         // y = x + A(norm(x)), y + F(norm(y)): GPT-2
  parallel,            // n = norm(x), x + A(n) + F(n): GPT-J
  parallel_two_norms,  // x + A(norm(x)) + F(norm(x)), each of its own: GPT-NeoX
  norms_behind_sums,   // y = norm(x + A(x)), norm(y + F(y)): OPT 350M
  norms_on_branches,   // y = x + norm(A(x)), y + norm(F(y)): OLMo 2
};

enum class BlockNorm {
  layer_norm,
  plain_layer_norm,  // without scale and shift
  rms_norm,          // also in the place of a LayerNorm without a shift, which costs as much
};

struct CausalConfig {
  std::string name;
  std::string title;
  int layers = 0;
  std::int64_t width = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t feed_forward = 0;
  std::int64_t vocabulary = 0;
  std::int64_t context = 2048;  // the longest sequence it was trained for

  // Before the blocks and behind them.
  std::int64_t word_width = 0;  // of the table, where it is not that of the blocks (OPT 350M)
  std::int64_t positions = 0;   // rows of a learned table; 0: none
  bool embedding_norm = false;  // of what the tables give (BLOOM)
  bool final_norm = true;
  bool tied = false;  // the head's matrix is the embedding's table
  bool head_bias = false;

  // Of each block.
  BlockOrder order = BlockOrder::norms_first;
  BlockNorm norm = BlockNorm::layer_norm;
  double norm_epsilon = 1e-5;
  double rotary_base = 0;  // > 0: rotary positions
  bool qkv_bias = true;
  bool projection_bias = true;
  bool feed_forward_bias = true;
  std::optional<Activation> activation = Activation::gelu_tanh;  // none: ReLU
  bool gated = false;                                            // a feed-forward part as Llama's
  std::int64_t window = 0;           // positions that attention sees in some blocks, by block
  std::vector<bool> windowed{};      // which these are
  std::vector<std::string> notes{};  // what its file says that no layer has
};

// Throws NetworkError for a sequence longer than the context.
[[nodiscard]] Network make_causal(const CausalConfig& config, int sequence);

// The model types that are read here.
[[nodiscard]] const std::vector<std::string_view>& causal_types();
[[nodiscard]] bool is_causal(const ConfigFile& file);
// Throws NetworkError naming the file and the field.
[[nodiscard]] CausalConfig read_causal(const ConfigFile& file, const std::string& name);

}  // namespace rightsize
