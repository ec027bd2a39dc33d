// Networks from the config.json of others: parameters as their authors count them.
#include <algorithm>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/network.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::int64_t count_windowed(const Network& network) {
  return std::count_if(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.kind == LayerKind::attention && layer.window > 0;
  });
}

}  // namespace

TEST_CASE("network: a config.json of Llama's architecture is a network") {
  const TemporaryFolder folder;
  const auto path = folder.write("config.json", R"({
    "model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 22,
    "num_attention_heads": 32, "num_key_value_heads": 4, "intermediate_size": 5632,
    "vocab_size": 32000, "max_position_embeddings": 2048, "rope_theta": 10000.0,
    "rms_norm_eps": 1e-05, "tie_word_embeddings": false, "head_dim": null})");
  const auto network = make_network(path);  // TinyLlama 1.1B
  CHECK(parameter_count(network) == 1'100'048'384);
  CHECK(network.input == FeatureShape{1, 2048, 1});
  CHECK(make_network(path, 300).input.positions() == 300);
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network(path, 4096)),
                       doctest::Contains("it was trained for 2048"),
                       EngineError);
}

// Parameters as their model cards count them; Qwen 3's without the norms of queries and keys, which
// are 2 x 128 a block.
TEST_CASE("network: the config.json of Mistral, Qwen and Phi 3 are networks of Llama's kind") {
  const TemporaryFolder folder;
  const auto parameters_of = [&](const char* text) {
    return parameter_count(make_network(folder.write("config.json", text), 64));
  };
  CHECK(parameters_of(R"({
    "model_type": "mistral", "hidden_size": 4096, "num_hidden_layers": 32, "sliding_window": 4096,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
    "hidden_act": "silu", "max_position_embeddings": 32768, "rms_norm_eps": 1e-05,
    "tie_word_embeddings": false, "vocab_size": 32000})") == 7'241'732'096);
  CHECK(parameters_of(R"({
    "model_type": "qwen2", "hidden_size": 3584, "num_hidden_layers": 28, "sliding_window": 131072,
    "num_attention_heads": 28, "num_key_value_heads": 4, "intermediate_size": 18944,
    "hidden_act": "silu", "max_position_embeddings": 32768, "rms_norm_eps": 1e-06,
    "use_sliding_window": false, "tie_word_embeddings": false, "vocab_size": 152064})") ==
        7'615'616'512);
  CHECK(parameters_of(R"({
    "model_type": "qwen3", "hidden_size": 4096, "num_hidden_layers": 36, "head_dim": 128,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 12288,
    "hidden_act": "silu", "max_position_embeddings": 40960, "attention_bias": false,
    "sliding_window": null, "tie_word_embeddings": false, "vocab_size": 151936})") ==
        8'190'735'360 - 36 * 2 * 128);
  CHECK(parameters_of(R"({
    "model_type": "phi3", "hidden_size": 3072, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size": 8192,
    "hidden_act": "silu", "max_position_embeddings": 4096, "sliding_window": 2047,
    "tie_word_embeddings": false, "vocab_size": 32064})") == 3'821'079'552);
  const auto quantized = folder.write("config.json", R"({
    "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 512,
    "quantization_config": {"load_in_4bit": true, "quant_method": "bitsandbytes"}})");
  REQUIRE(make_network(quantized, 64).notes.size() == 1);
  CHECK(make_network(quantized, 64).notes[0].find("quantization_config") != std::string::npos);
}

// One that all blocks have; Gemma 2's every other one, Gemma 3's five of six, Qwen's last ones
// where they are switched on; and where the file says of each. None, where no sequence is longer.
TEST_CASE("network: some blocks see a window of the positions before") {
  const TemporaryFolder folder;
  const auto windowed_of = [&](const char* fields) {
    const std::string text = R"({"hidden_size": 64, "num_hidden_layers": 12,
      "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 128,
      "vocab_size": 100, "max_position_embeddings": 512, )";
    const auto network = make_network(folder.write("config.json", text + fields + "}"), 512);
    CHECK(network.notes.empty());
    return count_windowed(network);
  };
  CHECK(windowed_of(R"("model_type": "mistral", "sliding_window": 128)") == 12);
  CHECK(windowed_of(R"("model_type": "mistral", "sliding_window": 512)") == 0);
  CHECK(windowed_of(R"("model_type": "gemma3_text", "sliding_window": 128)") == 10);
  CHECK(windowed_of(R"("model_type": "gemma3_text", "sliding_window": 128,
                       "sliding_window_pattern": 4)") == 9);
  CHECK(windowed_of(R"("model_type": "qwen2", "sliding_window": 128)") == 0);
  CHECK(windowed_of(R"("model_type": "qwen2", "sliding_window": 128, "use_sliding_window": true,
                       "max_window_layers": 9)") == 3);
  CHECK(windowed_of(R"("model_type": "mistral", "sliding_window": 128, "layer_types": [
      "full_attention", "sliding_attention", "full_attention", "full_attention",
      "full_attention", "full_attention", "full_attention", "full_attention",
      "full_attention", "full_attention", "full_attention", "sliding_attention"])") == 2);
}

// 8,537,680,896 and 2,614,341,888: the tensors of google/gemma-7b and google/gemma-2-2b.
TEST_CASE("network: the config.json of Gemma is a network") {
  const TemporaryFolder folder;
  const auto gemma = make_network(folder.write("config.json", R"({
    "model_type": "gemma", "hidden_size": 3072, "num_hidden_layers": 28, "head_dim": 256,
    "num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size": 24576,
    "hidden_act": "gelu", "max_position_embeddings": 8192, "vocab_size": 256000})"));
  CHECK(parameter_count(gemma) == 8'537'680'896);
  CHECK(count_windowed(gemma) == 0);
  const auto second = make_network(folder.write("config.json", R"({
    "model_type": "gemma2", "hidden_size": 2304, "num_hidden_layers": 26, "head_dim": 256,
    "num_attention_heads": 8, "num_key_value_heads": 4, "intermediate_size": 9216,
    "hidden_act": "gelu_pytorch_tanh", "hidden_activation": null,
    "max_position_embeddings": 8192, "sliding_window": 4096, "vocab_size": 256000})"));
  CHECK(parameter_count(second) == 2'614'341'888);
  CHECK(count_windowed(second) == 13);
  REQUIRE(second.notes.size() == 1);
  CHECK(second.notes[0].find("caps on scores") != std::string::npos);
}

// "Gemma 3 Technical Report", 2025, table 1: 3,209 million of the 4B beside its embedding and what
// it sees with. Its file says of the text only what is not as usual, some not even its type.
TEST_CASE("network: of a Gemma 3 that sees, the text is a network") {
  const TemporaryFolder folder;
  for (const std::string type : {R"("model_type": "gemma3_text",)", ""}) {
    const auto text = R"({
    "architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3",
    "text_config": {"hidden_size": 2560, "intermediate_size": 10240, )" +
                      type + R"(
                    "num_hidden_layers": 34, "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
                    "sliding_window": 1024},
    "vision_config": {"hidden_size": 1152, "model_type": "siglip_vision_model"}})";
    const auto network = make_network(folder.write("config.json", text));
    const double table = 262'208.0 * 2560;
    CHECK(static_cast<double>(parameter_count(network)) - table ==
          test::approx(3209e6).epsilon(0.001));
    CHECK(count_windowed(network) == 34 - 5);
    REQUIRE(network.notes.size() == 1);
    CHECK(network.notes[0].find("its text alone") != std::string::npos);
  }
}

TEST_CASE("network: a decoder's file that names another ending is said to be of one that writes") {
  const TemporaryFolder folder;
  const auto notes_of = [&](const std::string& type, const std::string& architecture) {
    return make_network(folder.write("config.json",
                                     R"({"architectures": [")" + architecture +
                                         R"("], "model_type": ")" + type +
                                         R"(", "hidden_size": 512, "num_hidden_layers": 4,
           "num_attention_heads": 8, "intermediate_size": 2048, "vocab_size": 1000,
           "max_position_embeddings": 512})"))
        .notes;
  };
  for (const std::string type : {"llama", "gpt_neox"}) {
    CAPTURE(type);
    const auto of_ending = [&](const std::string& name) {
      const auto notes = notes_of(type, name);
      return std::count_if(notes.begin(), notes.end(), [&](const std::string& note) {
        return note.find(name + ", which is not read") != std::string::npos;
      });
    };
    CHECK(of_ending("SomeForCausalLM") == 0);
    CHECK(of_ending("SomeForSequenceClassification") == 1);
  }
}

// "gpt-oss-120b & gpt-oss-20b Model Card", OpenAI, 2025, table 1: 20.91 and 116.83 billion.
TEST_CASE("network: the config.json of gpt-oss is a network") {
  const TemporaryFolder folder;
  const auto billions = [&](int layers, int experts) {
    const auto text = R"({"model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": )" +
                      std::to_string(layers) + R"(, "num_local_experts": )" +
                      std::to_string(experts) + R"(, "num_experts_per_tok": 4, "head_dim": 64,
      "num_attention_heads": 64, "num_key_value_heads": 8, "intermediate_size": 2880,
      "attention_bias": true, "hidden_act": "silu", "max_position_embeddings": 131072,
      "sliding_window": 128, "tie_word_embeddings": false, "vocab_size": 201088,
      "quantization_config": {"quant_method": "mxfp4"}})";
    const auto network = make_network(folder.write("config.json", text), 1024);
    CHECK(count_windowed(network) == layers / 2);
    CHECK(network.notes.size() == 1);
    return static_cast<double>(parameter_count(network)) / 1e9;
  };
  CHECK(billions(24, 32) == test::approx(20.91).epsilon(0.001));
  CHECK(billions(36, 128) == test::approx(116.83).epsilon(0.001));
}

// "DeepSeek-V3 Technical Report", 2024: 671 billion parameters, 37 of them active. Zhao et al.,
// "Insights into DeepSeek-V3", ISCA 2025, tables 1 and 2: 70.272 kB of caches a token, 250 GFLOP a
// token in training at 4096.
TEST_CASE("network: DeepSeek-V3, whose attention is to latents") {
  const TemporaryFolder folder;
  const auto network = make_network(folder.write("config.json", R"({
    "model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61,
    "num_attention_heads": 128, "num_key_value_heads": 128, "intermediate_size": 18432,
    "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
    "v_head_dim": 128, "moe_intermediate_size": 2048, "n_routed_experts": 256,
    "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3,
    "moe_layer_freq": 1, "num_nextn_predict_layers": 1, "attention_bias": false,
    "hidden_act": "silu", "max_position_embeddings": 163840, "tie_word_embeddings": false,
    "vocab_size": 129280})"),
                                    4096);
  CHECK(static_cast<double>(parameter_count(network)) == test::approx(671e9).epsilon(0.001));
  CHECK(static_cast<double>(active_parameter_count(network)) == test::approx(37e9).epsilon(0.02));
  CHECK(kv_cache_elements(network) * 2 == 4096 * 70'272);
  CHECK(training_flops(network) / 4096 == test::approx(250e9).epsilon(0.03));
  REQUIRE(network.notes.size() == 2);
  CHECK(network.notes[0].find("(MTP)") != std::string::npos);
  for (const auto engine : {EngineKind::cpu, EngineKind::gpu}) {
    CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(engine, network, {})),
                         doctest::Contains("predicted, not run"),
                         EngineError);
  }
}

// Queries of V2-Lite are made of the block's input. 15.7 and 2.4 billion, and 1.04 trillion and 32
// billion of Kimi K2, as their model cards say; "GLM-4.5", 2025: 355 and 32 billion, of which the
// card's layers for further tokens are a part.
TEST_CASE("network: others with latents, and GLM") {
  const TemporaryFolder folder;
  const auto billions = [&](const std::string& text) {
    const auto network = make_network(folder.write("config.json", "{" + text + "}"), 64);
    for (const auto& note : network.notes) {
      CHECK(note.find("(MTP)") == std::string::npos);
    }
    return std::pair(static_cast<double>(parameter_count(network)) / 1e9,
                     static_cast<double>(active_parameter_count(network)) / 1e9);
  };
  const auto [lite, lite_active] = billions(R"("model_type": "deepseek_v2", "hidden_size": 2048,
    "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16,
    "intermediate_size": 10944, "q_lora_rank": null, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64, "v_head_dim": 128, "moe_intermediate_size": 1408,
    "n_routed_experts": 64, "n_shared_experts": 2, "num_experts_per_tok": 6,
    "first_k_dense_replace": 1, "vocab_size": 102400)");
  CHECK(lite == test::approx(15.7).epsilon(0.005));
  CHECK(lite_active == test::approx(2.4).epsilon(0.15));  // the card counts the table or not
  const auto [kimi, kimi_active] = billions(R"("model_type": "kimi_k2", "hidden_size": 7168,
    "num_hidden_layers": 61, "num_attention_heads": 64, "num_key_value_heads": 64,
    "intermediate_size": 18432, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64, "v_head_dim": 128, "moe_intermediate_size": 2048,
    "n_routed_experts": 384, "n_shared_experts": 1, "num_experts_per_tok": 8,
    "first_k_dense_replace": 1, "vocab_size": 163840)");
  CHECK(kimi == test::approx(1040).epsilon(0.02));
  CHECK(kimi_active == test::approx(32).epsilon(0.04));
  const auto [glm, glm_active] = billions(R"("model_type": "glm4_moe", "hidden_size": 5120,
    "num_hidden_layers": 92, "num_attention_heads": 96, "num_key_value_heads": 8, "head_dim": 128,
    "intermediate_size": 12288, "attention_bias": true, "moe_intermediate_size": 1536,
    "n_routed_experts": 160, "n_shared_experts": 1, "num_experts_per_tok": 8,
    "first_k_dense_replace": 3, "num_nextn_predict_layers": 0, "vocab_size": 151552)");
  CHECK(glm == test::approx(355).epsilon(0.01));
  CHECK(glm_active == test::approx(32).epsilon(0.06));
}

// Its file has a text and what it sees pictures with. 17 billion parameters are active, as Meta
// says.
TEST_CASE("network: of a Llama 4, the text is a network, with experts in every n-th block") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& fields, int sequence) {
    return make_network(folder.write("config.json",
                                     R"({"model_type": "llama4", "text_config": {
      "hidden_size": 5120, "intermediate_size": 8192, "intermediate_size_mlp": 16384,
      "num_hidden_layers": 4, "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128,
      "vocab_size": 202048, "max_position_embeddings": 65536, "num_experts_per_tok": 1,
      "attention_chunk_size": 8192, "num_local_experts": 128)" +
                                         fields + "}}"),
                        sequence);
  };
  const auto with_experts = [](const Network& network) {
    std::string blocks;
    for (const auto& layer : network.layers) {
      blocks += layer.kind == LayerKind::experts ? layer.name + " " : "";
    }
    return blocks;
  };
  const auto alternating = read(R"(, "interleave_moe_layer_step": 2)", 16'384);
  CHECK(with_experts(alternating) == "block2_experts block4_experts ");
  CHECK(count_windowed(alternating) == 3);  // the fourth sees all positions
  CHECK(alternating.notes.size() == 2);
  const auto listed = read(R"(, "layer_types": ["chunked_attention", "full_attention",
    "chunked_attention", "full_attention"])",
                           64);
  CHECK(with_experts(listed) == "block1_experts block2_experts block3_experts block4_experts ");
  CHECK(count_windowed(listed) == 2);
  for (const auto* name : {"llama-4-scout", "llama-4-maverick"}) {
    CHECK(static_cast<double>(active_parameter_count(make_network(name, 64))) ==
          test::approx(17e9).epsilon(0.02));
  }
}

// ibm-granite/granite-3.0-1b-a400m-base: 1,334,628,352, from memory.
TEST_CASE("network: a Granite with experts is a network") {
  const TemporaryFolder folder;
  const auto network = make_network(folder.write("config.json", R"({
    "model_type": "granitemoe", "hidden_size": 1024, "intermediate_size": 512,
    "num_hidden_layers": 24, "num_attention_heads": 16, "num_key_value_heads": 8,
    "num_local_experts": 32, "num_experts_per_tok": 8, "vocab_size": 49155,
    "embedding_multiplier": 12.0, "logits_scaling": 6.0, "tie_word_embeddings": true})"));
  CHECK(parameter_count(network) == 1'334'628'352);
}
