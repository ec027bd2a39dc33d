// Networks of Llama's architecture with experts. Shapes from the published config.json of
// mistralai/Mixtral-8x7B-v0.1 and -8x22B-v0.1 (Jiang et al., 2024) and of Qwen/Qwen1.5-MoE-A2.7B.
#include "kernels/networks/families.h"
#include "kernels/networks/llama.h"

namespace rightsize {
namespace {

// Both have 8 experts as wide as Llama's only one would be, of which a token takes two.
LlamaConfig mixtral(const char* name,
                    const char* title,
                    int layers,
                    std::int64_t width,
                    std::int64_t feed_forward) {
  return {.name = name,
          .title = title,
          .layers = layers,
          .width = width,
          .heads = width / 128,
          .kv_heads = 8,
          .head_dim = 128,
          .feed_forward = feed_forward,
          .vocabulary = 32'000,
          .context = 32'768,
          .rope_theta = 1'000'000,
          .mixture = {.experts = 8, .per_token = 2, .feed_forward = feed_forward}};
}

}  // namespace

LlamaConfig mixtral_8x7b() {
  return mixtral("mixtral-8x7b", "Mixtral 8x7B", 32, 4096, 14'336);
}

LlamaConfig mixtral_8x22b() {
  auto config = mixtral("mixtral-8x22b", "Mixtral 8x22B", 56, 6144, 16'384);
  config.context = 65'536;
  return config;
}

LlamaConfig qwen_moe() {
  return {.name = "qwen1.5-moe-a2.7b",
          .title = "Qwen1.5-MoE-A2.7B",
          .layers = 24,
          .width = 2048,
          .heads = 16,
          .kv_heads = 16,
          .head_dim = 128,
          .feed_forward = 5632,
          .vocabulary = 151'936,
          .context = 8192,
          .rope_theta = 1'000'000,
          .norm_epsilon = 1e-6,
          .qkv_bias = true,
          .mixture = {.experts = 60,
                      .per_token = 4,
                      .feed_forward = 1408,
                      .shared_feed_forward = 5632,
                      .shared_gate = true}};
}

Network make_mixtral_8x7b(int sequence) {
  return make_llama(mixtral_8x7b(), sequence);
}

Network make_mixtral_8x22b(int sequence) {
  return make_llama(mixtral_8x22b(), sequence);
}

Network make_qwen_moe(int sequence) {
  return make_llama(qwen_moe(), sequence);
}

}  // namespace rightsize
