// Gemma 3n and Gemma 4, the text parts: Google, "Gemma 3n", 2025, and "Gemma 4", 2026, as
// transformers' Gemma3nForConditionalGeneration and Gemma4ForConditionalGeneration shape them.
// Beside its tokens' table each block may have one of its own, whose rows are narrow, and which
// need not lie on the accelerator. The last blocks may read keys and values of earlier ones. In
// Gemma 4 blocks that see all positions have wider heads, whose values may be their keys, and
// experts may stand beside the feed-forward part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/network.h"
#include "kernels/networks/llama.h"

namespace rightsize {

class ConfigFile;

struct Gemma3nConfig {
  std::string name;
  std::string title;
  int layers = 0;
  std::int64_t width = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t feed_forward = 0;
  std::int64_t vocabulary = 0;
  std::int64_t context = 32'768;      // the longest sequence it was trained for
  std::int64_t block_vocabulary = 0;  // rows of each block's own table
  std::int64_t block_width = 256;     // of these
  std::int64_t streams = 4;           // that a position has, mixed by each block (AltUp); 1: one
  std::int64_t branch_rank = 64;      // of a low-rank branch beside attention (LAuReL); 0: none
  int shared = 0;                     // blocks at the end that cache nothing
  std::int64_t window = 0;            // positions that attention sees in some blocks, by block
  std::vector<bool> windowed{};       // which these are
  double norm_epsilon = 1e-6;
  double rope_theta = 1'000'000;
  // Gemma 4's. 0: as in all blocks.
  std::int64_t whole_head_dim = 0;  // of blocks that see all positions
  std::int64_t whole_kv_heads = 0;
  bool values_are_keys = false;  // in these
  bool shared_are_wide = false;  // feed-forward parts of blocks that cache nothing: twice as wide
  MixtureConfig mixture{};       // beside the feed-forward part of every block
  std::vector<std::string> notes{};  // what its file says that no layer has
};

// Throws NetworkError for a sequence longer than the context.
[[nodiscard]] Network make_gemma3n(const Gemma3nConfig& config, int sequence);

inline constexpr std::string_view gemma3n_type = "gemma3n_text";

// Throws NetworkError naming the file where its blocks cannot be.
void require_shape(const ConfigFile& file, const Gemma3nConfig& config);

[[nodiscard]] bool is_gemma3n(const ConfigFile& file);
// Of one that sees and hears its text is read. Throws NetworkError naming the file and the field.
[[nodiscard]] Gemma3nConfig read_gemma3n(ConfigFile file, const std::string& name);

// The same of Gemma 4 (gemma4.cpp).
[[nodiscard]] bool is_gemma4(const ConfigFile& file);
[[nodiscard]] Gemma3nConfig read_gemma4(ConfigFile file, const std::string& name);

}  // namespace rightsize
