// Language models in which layers that keep a state of one size stand in the place of some or all
// attention, as numbers, and their config.json: Mamba, Mamba-2 and what was built on them beside
// attention (Nemotron-H, Granite 4.0 H, Bamba, Jamba, Falcon-H1), gated delta networks (Qwen3-Next,
// Qwen3.5, Kimi Linear), lightning attention (MiniMax-01) and convolutions (LFM2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/networks/builder.h"
#include "kernels/networks/llama.h"

namespace rightsize {

class ConfigFile;

// What a block mixes positions by, and what it does with each of them alone. Each part adds to what
// it read, behind a norm of its own.
enum class Mixer { none, attention, recurrence, both };
enum class FeedKind { none, dense, experts };

struct HybridBlock {
  Mixer mixer = Mixer::recurrence;
  FeedKind feed = FeedKind::none;

  bool operator==(const HybridBlock&) const = default;
};

struct HybridConfig {
  std::string name;
  std::string title;
  std::int64_t width = 0;
  std::int64_t vocabulary = 0;
  std::int64_t context = 0;  // the longest sequence it was trained for
  double norm_epsilon = 1e-5;
  bool tied = false;  // the head's matrix is the embedding's table
  bool final_norm = true;

  std::int64_t heads = 0;  // of attention, where any block has it
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  double rotary_base = 0;  // 0: positions are what recurrences make of them
  bool qkv_bias = false;
  bool gated_attention = false;  // what it makes is weighed by a sigmoid of its input (Qwen)
  LatentConfig latent{};         // where its keys and values are made of few features (Kimi)

  RecurrenceShape recurrence{};
  bool projection_bias = false;  // of the matrices before and behind a recurrence
  std::int64_t gate_rank = 0;    // > 0: what gates it and its factors are made of so many features

  std::int64_t feed_forward = 0;
  bool gated = true;  // SwiGLU; else a squared ReLU between two matrices, also of experts
  MixtureConfig mixture{};
  std::int64_t expert_width = 0;  // > 0: experts read and make so many features of a position

  std::vector<HybridBlock> blocks{};
  std::vector<std::string> notes{};  // what its file says that no layer has
};

// Throws NetworkError for a sequence longer than the context.
[[nodiscard]] Network make_hybrid(const HybridConfig& config, int sequence);

// The model types that are read here.
[[nodiscard]] const std::vector<std::string_view>& hybrid_types();
// A file of what also sees is read for its text, where its model_type is known here.
[[nodiscard]] bool is_hybrid(const ConfigFile& file);
// Throws NetworkError naming the file and the field.
[[nodiscard]] HybridConfig read_hybrid(ConfigFile file, const std::string& name);

}  // namespace rightsize
