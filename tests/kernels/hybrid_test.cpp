// Networks whose layers keep a state of one size: their config.json, what a sequence keeps, what
// one more token takes, and who runs them.
#include <string>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/network.h"
#include "kernels/networks/builder.h"
#include "kernels/recurrence_work.h"
#include "kernels/runnable.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::string nemotron_with(const std::string& fields) {
  return R"({"model_type": "nemotron_h", "hidden_size": 4096, "num_attention_heads": 32,
             "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 21504,
             "mlp_hidden_act": "relu2", "mamba_num_heads": 128, "mamba_head_dim": 64,
             "n_groups": 8, "ssm_state_size": 128, "conv_kernel": 4, "vocab_size": 131072,
             "max_position_embeddings": 8192)" +
         fields + "}";
}

constexpr const char* nemotron_8b =
    R"(, "hybrid_override_pattern": "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-",
        "num_hidden_layers": 52)";

// Two blocks, the second with attention, around a small mixer of either rule.
Network tiny(const RecurrenceShape& shape, std::int64_t length) {
  auto net = NetworkBuilder::of_tokens("tiny", "Tiny", length, 50, 50);
  const int tokens = net.embedding("tokens", net.input(), 50, 24);
  int x = net.linear("in", tokens, packed_features(shape), false);
  x = net.linear_recurrence("state", x, shape);
  x = net.add("sum", {net.linear("out", x, 24, false), tokens});
  return net.finish(net.linear("head", x, 50, false), Optimizer::adam);
}

constexpr RecurrenceShape mamba2{.heads = 6, .head_dim = 4, .groups = 2, .state_dim = 8};
constexpr RecurrenceShape delta{.rule = StateRule::gated_delta,
                                .heads = 6,
                                .head_dim = 4,
                                .groups = 3,
                                .state_dim = 8,
                                .bias = false,
                                .wide_state = true};

}  // namespace

TEST_CASE("hybrid: a config.json of Nemotron-H is the network of that name") {
  const TemporaryFolder folder;
  const auto read = make_network(folder.write("config.json", nemotron_with(nemotron_8b)), 512);
  const auto named = make_network("nemotron-h-8b", 512);
  REQUIRE(read.layers.size() == named.layers.size());
  for (std::size_t i = 0; i < read.layers.size(); ++i) {
    CHECK((read.layers[i] == named.layers[i]));
  }
}

TEST_CASE("hybrid: blocks may stand in a list of words, as later files have them") {
  const TemporaryFolder folder;
  const auto letters = make_network(
      folder.write("letters.json", nemotron_with(R"(, "hybrid_override_pattern": "M-*-")")), 64);
  const auto words = make_network(
      folder.write("words.json",
                   nemotron_with(R"(, "layers_block_type": ["mamba", "mlp", "attention", "mlp"])")),
      64);
  CHECK((letters.layers == words.layers));
}

TEST_CASE("hybrid: a Qwen3.5 that sees is read for its text") {
  const TemporaryFolder folder;
  const auto read = make_network(folder.write("config.json", R"({
    "model_type": "qwen3_5", "vision_config": {"depth": 27}, "text_config": {
      "model_type": "qwen3_5_text", "hidden_size": 2560, "intermediate_size": 9216,
      "num_hidden_layers": 32, "num_attention_heads": 16, "num_key_value_heads": 4,
      "head_dim": 256, "linear_num_value_heads": 32, "linear_num_key_heads": 16,
      "linear_key_head_dim": 128, "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4,
      "mamba_ssm_dtype": "float32", "full_attention_interval": 4, "vocab_size": 248320,
      "rope_parameters": {"rope_theta": 10000000, "partial_rotary_factor": 0.25},
      "rms_norm_eps": 1e-06, "max_position_embeddings": 262144, "tie_word_embeddings": true}})"),
                                 512);
  CHECK((read.layers == make_network("qwen3.5-4b", 512).layers));
  CHECK(read.notes.back().find("text alone") != std::string::npos);
}

TEST_CASE("hybrid: what a file says that no such network has is refused by its field") {
  const TemporaryFolder folder;
  const auto refuses = [&](const std::string& fields, const char* words) {
    const auto path = folder.write("config.json", nemotron_with(fields));
    CHECK_THROWS_WITH_AS(
        static_cast<void>(make_network(path, 64)), doctest::Contains(words), EngineError);
  };
  refuses(R"(, "hybrid_override_pattern": "MX")", "hybrid_override_pattern");
  refuses("", "hybrid_override_pattern");
  refuses(R"(, "layers_block_type": ["gru"])", "layers_block_type");
  refuses(R"(, "hybrid_override_pattern": "ME")", "n_routed_experts");
  refuses(R"(, "hybrid_override_pattern": "M-", "tie_word_embeddings": 1)", "tie_word_embeddings");
}

// The models' pages and reports: 3B (Qwen3-Next), 3.2B of 31.6B and 3.6B with embeddings
// (Nemotron 3 Nano), 12.7B (Nemotron 3 Super), 9B (Granite 4.0 H Small), 17B (Qwen3.5), 12B and 94B
// (Jamba).
TEST_CASE("hybrid: a token passes through as many parameters as was published") {
  const auto billions = [](const char* name) {
    return static_cast<double>(active_parameter_count(make_network(name, 64))) / 1e9;
  };
  CHECK(billions("nemotron-3-nano-30b-a3b") == test::approx(3.6).epsilon(0.01));
  CHECK(billions("nemotron-3-super-120b-a12b") == test::approx(12.7).epsilon(0.01));
  CHECK(billions("granite-4.0-h-small") == test::approx(9).epsilon(0.03));
  CHECK(billions("qwen3.5-397b-a17b") == test::approx(17).epsilon(0.03));
  CHECK(billions("jamba-mini") == test::approx(12).epsilon(0.01));
  CHECK(billions("jamba-large") == test::approx(94).epsilon(0.01));
}

// 36 layers of 32 states of 128 x 128 numbers in FP32, and three positions of 8192 channels.
TEST_CASE("hybrid: a sequence keeps as much of a state, however long it is") {
  const double each = 32.0 * 128 * 128 * 4 + 3 * 8192 * 2;
  CHECK(kept_state_bytes(make_network("qwen3-next-80b-a3b", 64), 2) == 36 * each);
  CHECK(kept_state_bytes(make_network("qwen3-next-80b-a3b", 4096), 2) == 36 * each);
  CHECK(kept_state_bytes(make_network("qwen3-8b", 64), 2) == 0);
  // Keys and values are of twelve layers alone.
  const auto network = make_network("qwen3-next-80b-a3b", 4096);
  CHECK(kv_cache_elements(network) == 12 * 2 * 2 * 256 * 4096);
  const auto one = device_memory_bytes(network, Phase::decode, Precision::bf16, 1);
  const auto two = device_memory_bytes(network, Phase::decode, Precision::bf16, 2);
  CHECK(static_cast<double>(two - one) > 36 * each + 2.0 * 12 * 2 * 2 * 256 * 4096);
}

TEST_CASE("hybrid: one more token takes as much behind a long text as behind a short one") {
  const auto mamba = make_network("mamba2-1.3b", 4096);
  CHECK(decode_flops(mamba, 10) == decode_flops(mamba, 100'000));
  CHECK(prompt_flops(mamba, 8192) == test::approx(2 * prompt_flops(mamba, 4096)));
  CHECK(kv_cache_elements(mamba) == 0);
  // Two multiply-adds a parameter but for the table, and little for the states.
  const auto matrices = 2.0 * static_cast<double>(parameter_count(mamba));
  CHECK(decode_flops(mamba, 0) == test::approx(matrices).epsilon(0.06));
}

// By hand: 24 channels and two groups of two vectors of 8, four positions of each; six heads.
TEST_CASE("hybrid: parameters and work of a mixer are those of its parts") {
  const auto network = tiny(mamba2, 16);
  const auto& layer = network.layers[3];
  CHECK(layer.convolved() == 24 + 2 * 2 * 8);
  CHECK(packed_features(mamba2) == 24 + layer.convolved() + 6);
  CHECK(layer_work(network, 3).parameters == 56 * (4 + 1) + 3 * 6 + 24);
  const double around = 56 * (2 * 4 + 5) + 24 * (4 + 6);
  CHECK(generated_recurrence_flops(layer) == around + 5 * 24 * 8);
  // Of a chunk of 16: half of the products with its other positions, and those with the state.
  const double inside = 2 * (16 / 2.0 * (2 * 8 + 24) + 2 * 24 * 8);
  CHECK(layer_work(network, 3).forward_flops == test::approx(16 * (around + inside)));
  const auto other = tiny(delta, 16);
  CHECK(layer_work(other, 3).parameters == (24 + 2 * 3 * 8) * 4 + 2 * 6 + 4);
  CHECK(kept_state_bytes(other.layers[3], 2) == 3 * 72 * 2 + 24 * 8 * 4);
}

// By hand: 24 features of 6 heads; keys of 8 numbers, with as many groups as heads.
TEST_CASE("hybrid: factors of channels, sums without a convolution and convolutions alone") {
  const auto kimi = tiny({.rule = StateRule::channel_delta,
                          .heads = 6,
                          .head_dim = 4,
                          .groups = 6,
                          .state_dim = 8,
                          .bias = false},
                         16);
  // Convolution, a number a head and one each of a key's, the norm that heads share.
  CHECK(layer_work(kimi, 3).parameters == (24 + 2 * 6 * 8) * 4 + 6 + 6 * 8 + 4);
  CHECK(kimi.layers[2].out.c == 24 + (24 + 2 * 6 * 8) + 6 * 8 + 6);
  const RecurrenceShape lightning{.rule = StateRule::lightning,
                                  .heads = 6,
                                  .head_dim = 4,
                                  .groups = 6,
                                  .state_dim = 4,
                                  .kernel = 0,
                                  .bias = false};
  const auto minimax = tiny(lightning, 16);
  CHECK(layer_work(minimax, 3).parameters == 24);
  CHECK(minimax.layers[2].out.c == 4 * 24);
  CHECK(kept_state_bytes(minimax.layers[3], 2) == 24 * 4 * 2);
  const auto lfm = tiny({.rule = StateRule::gated_convolution,
                         .heads = 6,
                         .head_dim = 4,
                         .groups = 0,
                         .state_dim = 0,
                         .kernel = 3,
                         .bias = false,
                         .norm = false},
                        16);
  CHECK(layer_work(lfm, 3).parameters == 24 * 3);
  CHECK(lfm.layers[2].out.c == 3 * 24);
  CHECK(layer_work(lfm, 3).forward_flops == 16 * 24 * (2 * 3 + 2));
  CHECK(kept_state_bytes(lfm.layers[3], 2) == 2 * 24 * 2);
}

TEST_CASE("hybrid: the first Mamba makes its steps inside the layer") {
  const RecurrenceShape shape{.rule = StateRule::mamba,
                              .heads = 48,
                              .head_dim = 1,
                              .groups = 0,
                              .state_dim = 4,
                              .step_rank = 3,
                              .norm = false};
  const auto network = tiny(shape, 8);
  // Convolution, what makes steps and vectors, the steps' own matrix and bias, states and skips.
  CHECK(layer_work(network, 3).parameters == 48 * 5 + 48 * (3 + 2 * 4) + 48 * (3 + 1) + 48 * 5);
  CHECK(chunk_positions(network.layers[3], 8) == 1);
}

TEST_CASE("hybrid: a mixer that its input does not fit is refused") {
  auto net = NetworkBuilder::of_tokens("tiny", "Tiny", 8, 50, 50);
  const int x = net.embedding("tokens", net.input(), 50, 24);
  CHECK_THROWS_AS(static_cast<void>(net.linear_recurrence("state", x, mamba2)), EngineError);
}

TEST_CASE("hybrid: engines say that they only predict such networks") {
  for (const auto kind : {EngineKind::cpu, EngineKind::gpu}) {
    CHECK_THROWS_WITH_AS(check_runnable(kind, tiny(mamba2, 16), {.phase = Phase::infer}),
                         doctest::Contains("predicted, not run"),
                         EngineError);
  }
}
