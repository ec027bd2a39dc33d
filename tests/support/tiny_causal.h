// Small language models of every kind of block that causal.h knows, as their families have them.
#pragma once

#include <vector>

#include "kernels/networks/causal.h"

namespace rightsize::test {

inline CausalConfig tiny_causal(const char* name) {
  CausalConfig config;
  config.name = name;
  config.title = name;
  config.layers = 2;
  config.width = 32;
  config.heads = 4;
  config.kv_heads = 4;
  config.head_dim = 8;
  config.feed_forward = 48;
  config.vocabulary = 29;
  config.context = 64;
  return config;
}

inline std::vector<CausalConfig> tiny_causals() {
  auto opt = tiny_causal("opt-350m");
  opt.positions = 66;
  opt.word_width = 16;
  opt.activation.reset();
  opt.order = BlockOrder::norms_behind_sums;
  opt.final_norm = false;
  opt.tied = true;
  auto neo = tiny_causal("gpt-neo");
  neo.positions = 64;
  neo.qkv_bias = false;
  neo.window = 4;
  neo.windowed = {true, false};
  auto gptj = tiny_causal("gpt-j");
  gptj.order = BlockOrder::parallel;
  gptj.rotary_base = 10'000;
  gptj.qkv_bias = false;
  gptj.projection_bias = false;
  gptj.head_bias = true;
  auto bloom = tiny_causal("bloom");
  bloom.embedding_norm = true;
  bloom.tied = true;
  auto falcon = tiny_causal("falcon");
  falcon.order = BlockOrder::parallel_two_norms;
  falcon.kv_heads = 1;
  falcon.rotary_base = 10'000;
  falcon.activation = Activation::gelu;
  falcon.qkv_bias = false;
  falcon.projection_bias = false;
  falcon.feed_forward_bias = false;
  auto cohere = falcon;
  cohere.name = "command-r";
  cohere.order = BlockOrder::parallel;
  cohere.norm = BlockNorm::rms_norm;
  cohere.kv_heads = 2;
  cohere.activation = Activation::silu;
  cohere.gated = true;
  auto olmo = cohere;
  olmo.name = "olmo";
  olmo.order = BlockOrder::norms_first;
  olmo.norm = BlockNorm::plain_layer_norm;
  auto olmo2 = cohere;
  olmo2.name = "olmo-2";
  olmo2.order = BlockOrder::norms_on_branches;
  return {opt, neo, gptj, bloom, falcon, cohere, olmo, olmo2};
}

}  // namespace rightsize::test
