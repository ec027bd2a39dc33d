// What a config.json is refused for, by file and field.
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/network.h"
#include "kernels/work.h"
#include "support/temporary_folder.h"

using namespace rightsize;

// It would be a dense network of Llama's kind, or one without latents, under the same name.
TEST_CASE("network: a config.json without what makes its family is refused") {
  const TemporaryFolder folder;
  const auto of = [&](const std::string& type, const std::string& fields) {
    const auto text = R"({"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
      "intermediate_size": 96, "vocab_size": 50, "num_experts_per_tok": 2, "model_type": ")" +
                      type + "\"" + fields + "}";
    return make_network(folder.write("config.json", text));
  };
  const auto fails = [&](const std::string& type, const std::string& fields, const char* field) {
    CAPTURE(type);
    CHECK_THROWS_WITH_AS(static_cast<void>(of(type, fields)),
                         doctest::Contains(("config.json: \"" + std::string(field) +
                                            "\" is not given, which every \"" + type + "\" has")
                                               .c_str()),
                         EngineError);
  };
  for (const auto& [type, field] : {std::pair{"qwen2_moe", "num_experts"},
                                    {"qwen3_moe", "num_experts"},
                                    {"mixtral", "num_local_experts"},
                                    {"gpt_oss", "num_local_experts"},
                                    {"glm4_moe", "n_routed_experts"}}) {
    fails(type, "", field);
    fails(type, std::string(", \"") + field + "\": null", field);
  }
  const std::string dense = R"(, "n_routed_experts": null)";
  for (const auto* type : {"deepseek_v2", "deepseek_v3", "kimi_k2"}) {
    fails(type, "", "n_routed_experts");
    fails(type, dense, "kv_lora_rank");
  }
  fails("deepseek", "", "n_routed_experts");
  CHECK_FALSE(has_experts(of("deepseek", dense)));  // in DeepSeek's words none
}

// 3 heads do not divide 64, and 64 / 3 is odd.
TEST_CASE("network: a config.json with latents needs no width of heads") {
  const TemporaryFolder folder;
  const auto network_of = [&](const std::string& turned) {
    return make_network(folder.write("config.json",
                                     R"({"model_type": "deepseek_v3", "hidden_size": 64,
      "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 96, "vocab_size": 50,
      "n_routed_experts": 8, "num_experts_per_tok": 2, "kv_lora_rank": 16, "qk_nope_head_dim": 8,
      "v_head_dim": 8, "qk_rope_head_dim": )" +
                                         turned + "}"));
  };
  CHECK(has_latents(network_of("4")));
  CHECK_THROWS_WITH_AS(static_cast<void>(network_of("3")),
                       doctest::Contains("\"qk_rope_head_dim\" is 3; RoPE turns pairs"),
                       EngineError);
}

TEST_CASE("network: a config.json that is wrong is refused by file and field") {
  const TemporaryFolder folder;
  const auto fails = [&](const std::string& text, const char* why) {
    const auto path = folder.write("config.json", text);
    CHECK_THROWS_WITH_AS(static_cast<void>(make_network(path)),
                         doctest::Contains((path + why).c_str()),
                         EngineError);
  };
  const auto with = [](const std::string& fields) {
    return R"({"hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 6,
               "intermediate_size": 96, "vocab_size": 50)" +
           fields + "}";
  };
  fails("[1, 2]", ": is not one JSON object");
  fails("{} {}", ": is not one JSON object");
  fails("{", ": is not one JSON object, or one that ends too early");
  fails("{\n\"hidden_size\": 64,\n\"vocab_size\" 3}", ":3: is not JSON");
  fails(with(R"(, "num_key_value_heads": 4)"), ": \"num_key_value_heads\" is 4, which does not");
  fails(with(R"(, "num_key_value_heads": "2")"), ": \"num_key_value_heads\" is \"2\", not a");
  for (const std::string large : {"1048577", "10000000000000000000", "1E30"}) {
    fails(with(R"(, "head_dim": )" + large),
          (": \"head_dim\" is " + large + ", more than any such network has").c_str());
  }
  fails(with(R"(, "head_dim": 64.0)"), ": \"head_dim\" is 6.4E1, not a positive integer");
  fails(with(R"(, "head_dim": -64)"), ": \"head_dim\" is -64, not a positive integer");
  fails(with(R"(, "head_dim": 9)"), ": \"head_dim\" is 9");
  fails(with(R"(, "rope_theta": -1)"), ": \"rope_theta\" is -1");
  fails(with(R"(, "tie_word_embeddings": 1)"), ": \"tie_word_embeddings\" is 1");
  fails(with(R"(, "model_type": "rwkv")"), ": \"model_type\" is \"rwkv\"");
  fails(with(R"(, "model_type": 7)"), ": \"model_type\" is 7, not a word");
  fails(with(R"(, "model_type": "gemma2", "hidden_activation": 7)"),
        ": \"hidden_activation\" is 7, not a word");
  fails(with(R"(, "mlp_bias": true)"), ": \"mlp_bias\" is true");
  fails(with(R"(, "sliding_window": 9, "layer_types": "all")"),
        ": \"layer_types\" is \"all\", not a list");
  fails(with(R"(, "sliding_window": 9, "layer_types": ["chunked_attention"])"),
        ": \"layer_types\" has \"chunked_attention\"; known are");
  fails(with(R"(, "sliding_window": 9, "layer_types": [])"),
        ": \"layer_types\" names 0 of 1 layers");
  fails(with(R"(, "model_type": "gemma", "hidden_act": "silu")"), ": \"hidden_act\" is \"silu\"");
  fails(R"({"model_type": "gemma3", "hidden_size": 64})", ": \"text_config\" is not given");
  fails(R"({"hidden_size": 64})", ": \"num_hidden_layers\" is missing");
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("/nowhere/config.json")),
                       doctest::Contains("/nowhere/config.json: cannot be read"),
                       EngineError);
}
