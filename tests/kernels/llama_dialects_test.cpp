// The config.json of families that call the same numbers by other names, as their publishers wrote
// them (fields that shape nothing left out): the networks of their names, layer by layer.
#include <string>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/known_network.h"
#include "kernels/network.h"
#include "kernels/work.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

void check_same(const std::string& fields, const char* name) {
  const TemporaryFolder folder;
  CAPTURE(name);
  const auto read = make_network(folder.write("config.json", fields), 64);
  const auto named = make_network(name, 64);
  CHECK(parameter_count(read) == parameter_count(named));
  CHECK(forward_flops(read) == forward_flops(named));
  CHECK(computes_the_same(read, named));
}

std::string repeated(const std::string& one, int times) {
  std::string all = one;
  for (int i = 1; i < times; ++i) {
    all += ", " + one;
  }
  return "[" + all + "]";
}

}  // namespace

TEST_CASE("dialects: Hunyuan-A13B says of each layer what all have") {
  const auto fields = [](const std::string& widths) {
    return R"({"model_type": "hunyuan_v1_moe", "hidden_size": 4096, "num_hidden_layers": 32,
      "num_attention_heads": 32, "num_key_value_heads": 8, "attention_head_dim": 128,
      "intermediate_size": 3072, "moe_intermediate_size": )" +
           widths + R"(, "moe_topk": )" + repeated("8", 32) + R"(, "num_shared_expert": )" +
           repeated("1", 32) + R"(, "num_experts": 64, "moe_layer_num_skipped": 0,
      "hidden_act": "silu", "vocab_size": 128167, "max_position_embeddings": 262144,
      "rope_theta": 10000.0, "rms_norm_eps": 1e-05, "tie_word_embeddings": true})";
  };
  check_same(fields(repeated("3072", 32)), "hunyuan-a13b");
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(
      static_cast<void>(make_network(folder.write("config.json", fields("[3072, 1024]")), 64)),
      doctest::Contains("\"moe_intermediate_size\" is not the same for all layers"),
      EngineError);
}

TEST_CASE("dialects: ERNIE 4.5 and Ling name their experts in their own ways") {
  check_same(R"({"model_type": "ernie4_5_moe", "hidden_size": 2560, "intermediate_size": 12288,
    "num_hidden_layers": 28, "num_attention_heads": 20, "num_key_value_heads": 4,
    "moe_num_experts": 64, "moe_k": 6, "moe_num_shared_experts": 2, "moe_layer_start_index": 1,
    "moe_layer_interval": 1, "moe_intermediate_size": 1536, "use_bias": false, "vocab_size": 103424,
    "max_position_embeddings": 131072, "rope_theta": 500000.0, "rms_norm_eps": 1e-05,
    "tie_word_embeddings": true})",
             "ernie-4.5-21b-a3b");
  check_same(R"({"model_type": "bailing_moe", "hidden_size": 2048, "intermediate_size": 5120,
    "num_hidden_layers": 20, "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 128,
    "num_experts": 256, "num_experts_per_tok": 8, "num_shared_experts": 1, "use_qkv_bias": false,
    "moe_intermediate_size": 512, "first_k_dense_replace": 1, "vocab_size": 157184,
    "max_position_embeddings": 131072, "rope_theta": 600000, "rms_norm_eps": 1e-06})",
             "ling-mini-2.0");
}

TEST_CASE("dialects: the text of what also sees, hears and speaks is read within") {
  check_same(R"({"model_type": "mistral3", "vision_config": {"hidden_size": 1024}, "text_config": {
    "model_type": "mistral", "hidden_size": 5120, "intermediate_size": 32768, "head_dim": 128,
    "num_hidden_layers": 40, "num_attention_heads": 32, "num_key_value_heads": 8,
    "hidden_act": "silu", "vocab_size": 131072, "max_position_embeddings": 131072,
    "rope_theta": 1000000000.0, "rms_norm_eps": 1e-05}})",
             "mistral-small-3.1-24b");
  check_same(R"({"model_type": "qwen3_omni_moe", "talker_config": {"x": 1}, "thinker_config": {
    "model_type": "qwen3_omni_moe_thinker", "text_config": {"model_type": "qwen3_omni_moe_text",
    "hidden_size": 2048, "intermediate_size": 768, "num_hidden_layers": 48, "head_dim": 128,
    "num_attention_heads": 32, "num_key_value_heads": 4, "num_experts": 128,
    "num_experts_per_tok": 8, "moe_intermediate_size": 768, "decoder_sparse_step": 1,
    "hidden_act": "silu", "vocab_size": 152064, "max_position_embeddings": 65536,
    "rope_theta": 1000000, "rms_norm_eps": 1e-06}}})",
             "qwen3-omni-30b-a3b");
  // Qwen2.5-VL's text lies beside its tower.
  check_same(R"({"model_type": "qwen2_5_vl", "hidden_size": 3584, "intermediate_size": 18944,
    "num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4,
    "hidden_act": "silu", "vocab_size": 152064, "max_position_embeddings": 128000,
    "use_sliding_window": false, "sliding_window": 32768, "rope_theta": 1000000.0,
    "rms_norm_eps": 1e-06, "vision_config": {"depth": 32}})",
             "qwen2.5-7b");
}

TEST_CASE("dialects: ChatGLM's own names, and EXAONE's") {
  check_same(R"({"model_type": "chatglm", "hidden_size": 4096, "ffn_hidden_size": 13696,
    "num_layers": 40, "num_attention_heads": 32, "multi_query_group_num": 2, "kv_channels": 128,
    "padded_vocab_size": 151552, "seq_length": 131072, "add_qkv_bias": true,
    "layernorm_epsilon": 1.5625e-07, "tie_word_embeddings": false})",
             "glm-4-9b");
  check_same(R"({"model_type": "exaone", "hidden_size": 4096, "intermediate_size": 14336,
    "num_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
    "activation_function": "silu", "layer_norm_epsilon": 1e-05, "vocab_size": 102400,
    "max_position_embeddings": 32768, "rope_theta": 1000000})",
             "exaone-3.5-7.8b");
}

// Blocks without attention, and without a feed-forward part.
TEST_CASE("dialects: blocks of Llama-Nemotron may have widths of their own, or lack a part") {
  const auto fields = [](const std::string& blocks) {
    return R"({"model_type": "nemotron-nas", "hidden_size": 512, "num_attention_heads": 8,
      "num_hidden_layers": 3, "intermediate_size": null, "num_key_value_heads": null,
      "vocab_size": 1000, "max_position_embeddings": 4096, "rms_norm_eps": 1e-05,
      "block_configs": [)" +
           blocks + "]}";
  };
  const std::string whole =
      R"({"attention": {"no_op": false, "n_heads_in_group": 4}, "ffn": {"ffn_mult": 2.0}})";
  const std::string fed = R"({"attention": {"no_op": true}, "ffn": {"ffn_mult": 0.5}})";
  const std::string attends =
      R"({"attention": {"n_heads_in_group": 8}, "ffn": {"no_op": true, "ffn_mult": null}})";
  const TemporaryFolder folder;
  const auto network =
      make_network(folder.write("config.json", fields(whole + "," + fed + "," + attends)), 64);
  // Two thirds of 2 x 512 and of 0.5 x 512, in whole tiles of 256.
  const std::uint64_t first = 2 * 512 * 512 + 2 * 512 * 2 * 64 + 3 * 512 * 768 + 2 * 512;
  const std::uint64_t second = 3 * 512 * 256 + 512;
  const std::uint64_t third = 2 * 512 * 512 + 2 * 512 * 1 * 64 + 512;
  CHECK(parameter_count(network) == 2 * 1000 * 512 + 512 + first + second + third);
  CHECK(kv_cache_elements(network) == (2 + 1) * 2 * 64 * 64);
  const auto fails = [&](const std::string& blocks, const char* why) {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(make_network(folder.write("config.json", fields(blocks)), 64)),
        doctest::Contains(why),
        EngineError);
  };
  fails("", "\"block_configs\" is missing, or names no block");
  fails(R"({"attention": {"replace_with_linear": true}, "ffn": {"ffn_mult": 1}})", "one matrix");
  fails(R"({"attention": {"n_heads_in_group": 3}, "ffn": {"ffn_mult": 1}})", "groups of 3 of 8");
  fails(R"({"ffn": {"ffn_mult": 1}})", "has a block without \"attention\"");
}

TEST_CASE("dialects: Gemma 3n caches keys and values of its first layers alone") {
  const auto network = make_network("gemma-3n-e4b", 4096);
  // 16 of 20 that cache see 512 positions.
  CHECK(kv_cache_elements(network) == (16 * 512 + 4 * 4096) * 2 * 2 * 256);
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("gemma-3n-e4b", 40'000)),
                       doctest::Contains("trained for 32768"),
                       EngineError);
}

// google/gemma-4-26B-A4B's and -E2B's fields, as public code that reads them has them.
TEST_CASE("dialects: Gemma 4's text stands within what it sees with") {
  check_same(R"({"model_type": "gemma4", "text_config": {"model_type": "gemma4_text",
    "hidden_size": 2816, "intermediate_size": 2112, "num_hidden_layers": 30,
    "num_attention_heads": 16, "num_key_value_heads": 8, "num_global_key_value_heads": 2,
    "head_dim": 256, "global_head_dim": 512, "attention_k_eq_v": true, "num_kv_shared_layers": 0,
    "hidden_size_per_layer_input": 0, "vocab_size": 262144, "max_position_embeddings": 262144,
    "sliding_window": 1024, "layer_types": )" +
                 repeated(R"("sliding_attention", "sliding_attention", "sliding_attention",
                             "sliding_attention", "sliding_attention", "full_attention")",
                          5) +
                 R"(, "enable_moe_block": true, "num_experts": 128, "top_k_experts": 8,
    "moe_intermediate_size": 704, "use_double_wide_mlp": false, "tie_word_embeddings": true,
    "rope_parameters": {"full_attention": {"rope_theta": 1000000.0}}}})",
             "gemma-4-26b-a4b");
  check_same(R"({"model_type": "gemma4_text", "hidden_size": 1536, "intermediate_size": 6144,
    "num_hidden_layers": 35, "num_attention_heads": 8, "num_key_value_heads": 1, "head_dim": 256,
    "global_head_dim": 512, "hidden_size_per_layer_input": 256, "num_kv_shared_layers": 20,
    "vocab_size": 262144, "vocab_size_per_layer_input": 262144, "max_position_embeddings": 131072,
    "sliding_window": 512, "use_double_wide_mlp": true, "layer_types": )" +
                 repeated(R"("sliding_attention", "sliding_attention", "sliding_attention",
                             "sliding_attention", "full_attention")",
                          7) +
                 "}",
             "gemma-4-e2b");
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(
      static_cast<void>(make_network(folder.write("config.json", R"({"model_type": "gemma4"})"))),
      doctest::Contains("\"text_config\" is not given"),
      EngineError);
}
