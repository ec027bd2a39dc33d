// Networks with experts: their counts against what was published of them, the config.json that
// says so, and what runs them.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kernels/engine.h"
#include "kernels/network.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::string mixtral_with(const std::string& fields) {
  return R"({"model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32,
             "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
             "vocab_size": 32000, "max_position_embeddings": 32768, "hidden_act": "silu")" +
         fields + "}";
}

}  // namespace

// The models' pages: "46.7B total parameters but only uses 12.9B parameters per token" (Mistral,
// 2023), 141B and 39B (2024), 14.3B and 2.7B (Qwen, 2024).
TEST_CASE("mixture: a token passes through as many parameters as was published") {
  const auto billions = [](const char* name) {
    return static_cast<double>(active_parameter_count(make_network(name))) / 1e9;
  };
  CHECK(billions("mixtral-8x7b") == test::approx(12.9).epsilon(0.005));
  CHECK(billions("mixtral-8x22b") == test::approx(39).epsilon(0.005));
  CHECK(billions("qwen1.5-moe-a2.7b") == test::approx(2.7).epsilon(0.01));
  CHECK(active_parameter_count(make_network("llama-8b")) ==
        parameter_count(make_network("llama-8b")));
}

TEST_CASE("mixture: Mixtral's config.json is the built-in network") {
  const TemporaryFolder folder;
  const auto path = folder.write(
      "config.json",
      mixtral_with(R"(, "rope_theta": 1e6, "rms_norm_eps": 1e-05, "sliding_window": null,
                        "num_local_experts": 8, "num_experts_per_tok": 2)"));
  const auto read = make_network(path, 512);
  const auto built_in = make_network("mixtral-8x7b", 512);
  REQUIRE(read.layers.size() == built_in.layers.size());
  for (std::size_t i = 0; i < read.layers.size(); ++i) {
    CHECK((read.layers[i] == built_in.layers[i]));
  }
}

// 16,375,728,128 and 30,532,122,624: the tensors of deepseek-ai/deepseek-moe-16b-base and of
// Qwen/Qwen3-30B-A3B; of the latter the norms of queries and keys are left out, 128 each a layer.
TEST_CASE("mixture: shared experts, dense blocks, experts of a width of their own") {
  const TemporaryFolder folder;
  const auto deepseek = make_network(folder.write("deepseek.json", R"({
    "model_type": "deepseek", "hidden_size": 2048, "num_hidden_layers": 28,
    "num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size": 10944,
    "moe_intermediate_size": 1408, "n_routed_experts": 64, "n_shared_experts": 2,
    "num_experts_per_tok": 6, "first_k_dense_replace": 1, "moe_layer_freq": 1,
    "vocab_size": 102400, "max_position_embeddings": 4096, "hidden_act": "silu"})"));
  CHECK(deepseek.title == "DeepSeek MoE");
  CHECK(parameter_count(deepseek) == 16'375'728'128);
  CHECK(static_cast<double>(active_parameter_count(deepseek)) == test::approx(2.8e9).epsilon(0.02));
  const auto qwen = make_network(folder.write("qwen3.json", R"({
    "model_type": "qwen3_moe", "hidden_size": 2048, "num_hidden_layers": 48,
    "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128,
    "intermediate_size": 6144, "moe_intermediate_size": 768, "num_experts": 128,
    "num_experts_per_tok": 8, "decoder_sparse_step": 1, "mlp_only_layers": [],
    "attention_bias": false, "vocab_size": 151936, "max_position_embeddings": 40960,
    "hidden_act": "silu", "tie_word_embeddings": false})"));
  CHECK(qwen.title == "Qwen3 MoE");
  CHECK(parameter_count(qwen) == 30'532'122'624 - 48 * 2 * 128);
  CHECK(static_cast<double>(active_parameter_count(qwen)) == test::approx(3.3e9).epsilon(0.02));
}

TEST_CASE("mixture: a config.json that is wrong or of another kind is refused by its field") {
  const TemporaryFolder folder;
  const auto fails = [&](const std::string& fields, const char* why) {
    const auto path = folder.write("config.json", mixtral_with(fields));
    CHECK_THROWS_WITH_AS(static_cast<void>(make_network(path)),
                         doctest::Contains((path + why).c_str()),
                         EngineError);
  };
  fails(R"(, "num_local_experts": 8)", ": \"num_experts_per_tok\" is missing");
  fails(R"(, "num_local_experts": 8, "num_experts_per_tok": 9)",
        ": \"num_experts_per_tok\" is 9, more than the 8 experts");
  fails(R"(, "num_local_experts": 8, "num_experts_per_tok": 2, "decoder_sparse_step": 2)",
        ": \"decoder_sparse_step\" is 2; only 1 is known");
  fails(R"(, "num_local_experts": 8, "num_experts_per_tok": 2, "kv_lora_rank": 512)",
        ": \"qk_nope_head_dim\" is missing");
}

// Sizes that 64 bits do not hold: overflow would make them small, and fit any GPU.
TEST_CASE("mixture: a config.json of numbers that no network has is refused") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const char* why) {
    const auto path = folder.write("config.json", text);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(make_network(path)), doctest::Contains(why), EngineError);
  };
  const auto of = [](const char* width, const char* feed_forward, const char* more) {
    return fmt::format(
        R"({{"model_type": "mixtral", "hidden_size": {}, "num_hidden_layers": 32,
             "num_attention_heads": 32, "intermediate_size": {}, "vocab_size": 32000,
             "num_experts_per_tok": 2, "head_dim": 128{}}})",
        width,
        feed_forward,
        more);
  };
  refused(of("4096", "14336", R"(, "num_local_experts": 16777216)"), "\"num_local_experts\" is");
  refused(of("16777216", "14336", R"(, "num_local_experts": 8)"), "\"hidden_size\" is");
  // 3 x 2^20 x 2^20 x 2^12 x 32 are 2^59 parameters, each field for itself being possible.
  refused(of("1048576", "1048576", R"(, "num_local_experts": 4096)"), "parameters");
  refused(
      of("1048576", "131072", R"(, "num_local_experts": 4, "max_position_embeddings": 16777216)"),
      "a context of 16777216");
  // As long a context of a network that there could be is fine.
  CHECK_NOTHROW(static_cast<void>(make_network(folder.write("config.json",
                                                            of("8192",
                                                               "28672",
                                                               R"(, "num_local_experts": 512,
                                        "max_position_embeddings": 10485760)")))));
}

// Three matrices of 4096 x 14336 of two experts, and the router's of 4096 x 8.
TEST_CASE("mixture: work of one layer by hand") {
  const auto network = make_network("mixtral-8x7b", 100);
  const auto of = [&](const std::string& name) {
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
      if (network.layers[i].name == name) {
        return layer_work(network, i);
      }
    }
    FAIL("no layer " << name);
    return LayerWork{};
  };
  const auto experts = of("block1_experts");
  CHECK(experts.parameters == 8ull * 3 * 4096 * 14336);
  CHECK(experts.forward_flops == test::approx(100 * 2 * 2.0 * 3 * 4096 * 14336).epsilon(0.001));
  CHECK(experts.backward_flops / experts.forward_flops == test::approx(2).epsilon(0.001));
  CHECK(of("block1_router").parameters == 4096 * 8);
}

TEST_CASE("mixture: is predicted, not run, and says so before it takes memory") {
  const auto network = make_network("qwen1.5-moe-a2.7b", 16);
  EngineOptions options;
  options.phase = Phase::infer;
  options.batch = 1;
  for (const auto kind : {EngineKind::cpu, EngineKind::gpu}) {
    CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(kind, network, options)),
                         doctest::Contains("is predicted, not run"),
                         EngineError);
  }
}
