// A network of a file, recognised by what it computes.
#include "kernels/known_network.h"

#include <string>

#include <doctest/doctest.h>

#include "kernels/network_error.h"
#include "kernels/work.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

// Files of the names on huggingface.co, by the fields that are read.
const std::string bert = R"("model_type": "bert", "architectures": ["BertForMaskedLM"],
  "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "hidden_act": "gelu",
  "intermediate_size": 3072, "max_position_embeddings": 512, "type_vocab_size": 2,
  "layer_norm_eps": 1e-12, "vocab_size": 30522)";
const std::string gpt2 = R"("model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12,
  "n_positions": 1024, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-05,
  "vocab_size": 50257)";
const std::string llama = R"("model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
  "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
  "vocab_size": 128256, "max_position_embeddings": 131072, "rope_theta": 500000.0,
  "rms_norm_eps": 1e-05, "tie_word_embeddings": false)";
const std::string qwen = R"("model_type": "qwen2", "hidden_size": 3584, "num_hidden_layers": 28,
  "num_attention_heads": 28, "num_key_value_heads": 4, "intermediate_size": 18944,
  "vocab_size": 152064, "max_position_embeddings": 32768, "rope_theta": 1000000.0,
  "rms_norm_eps": 1e-06, "tie_word_embeddings": false, "use_sliding_window": false)";
const std::string whisper = R"("model_type": "whisper", "d_model": 768, "encoder_layers": 12,
  "encoder_attention_heads": 12, "decoder_layers": 12, "decoder_attention_heads": 12,
  "encoder_ffn_dim": 3072, "decoder_ffn_dim": 3072, "vocab_size": 51865, "num_mel_bins": 80,
  "max_source_positions": 1500, "max_target_positions": 448, "activation_function": "gelu")";

std::string vit_with(int labels) {
  std::string names;
  for (int i = 0; i < labels; ++i) {
    names += (i > 0 ? ", \"" : "\"") + std::to_string(i) + "\": \"thing\"";
  }
  return R"("model_type": "vit", "hidden_size": 768, "num_hidden_layers": 12,
    "num_attention_heads": 12, "intermediate_size": 3072, "hidden_act": "gelu", "patch_size": 16,
    "image_size": 224, "num_channels": 3, "qkv_bias": true, "id2label": {)" +
         names + "}";
}

std::string name_of(const std::string& fields, const std::string& form = "", int sequence = 0) {
  const TemporaryFolder folder;
  const auto path = folder.write("config.json", "{" + fields + "}") + form;
  const auto known = known_network(path, sequence, Phase::infer);
  return known ? known->name : "";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

}  // namespace

TEST_CASE("known network: a file of each family is the network of its name") {
  CHECK(name_of(bert) == "bert-base");
  CHECK(name_of(gpt2) == "gpt2");
  CHECK(name_of(llama) == "llama-8b");
  CHECK(name_of(qwen) == "qwen2.5-7b");
  CHECK(name_of(vit_with(1000)) == "vit-b16");
  CHECK(name_of(whisper) == "whisper-small");
  CHECK(name_of(whisper, ":tokens=100") == "whisper-small:tokens=100");
  CHECK(name_of(whisper, ":training") == "whisper-small-training");
}

TEST_CASE("known network: it keeps the file's own length, where none is asked for") {
  const TemporaryFolder folder;
  const auto path = folder.write("config.json", "{" + bert + "}");
  CHECK(known_network(path, 0, Phase::train)->sequence == 512);
  CHECK(known_network(path, 128, Phase::train)->sequence == 128);
  CHECK_FALSE(known_network(path, 100'000, Phase::train));  // which it cannot read
}

TEST_CASE("known network: another width, depth, head, vocabulary or window is another network") {
  CHECK(name_of(replaced(bert, "3072", "3073")).empty());
  CHECK(name_of(replaced(bert, "30522", "30528")).empty());
  CHECK(name_of(replaced(gpt2, "\"n_layer\": 12", "\"n_layer\": 13")).empty());
  CHECK(
      name_of(replaced(llama, "\"num_key_value_heads\": 8", "\"num_key_value_heads\": 4")).empty());
  CHECK(name_of(replaced(qwen, "false, \"use_sliding_window\": false", "true")).empty());
  CHECK(name_of(vit_with(10)).empty());
  CHECK(name_of(replaced(llama, "500000.0", "10000.0")) == "llama-8b");  // which is no other work
}

TEST_CASE("known network: a name is none, nor is a file that cannot be read") {
  CHECK_FALSE(known_network("bert-base", 0, Phase::infer));
  CHECK_FALSE(known_network("nowhere/config.json", 0, Phase::infer));
}

// google/vit-base-patch16-224: 86,567,656 parameters.
TEST_CASE("ViT config: as many parameters as its authors count, and what is refused") {
  const TemporaryFolder folder;
  const auto made = [&](const std::string& fields) {
    return make_network(folder.write("config.json", "{" + fields + "}"));
  };
  CHECK(parameter_count(made(vit_with(1000))) == 86'567'656);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(made(replaced(vit_with(2), "\"patch_size\": 16", "\"patch_size\": 15"))),
      doctest::Contains("which patches of 15 do not divide"),
      NetworkError);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(make_network(folder.write("config.json", "{" + vit_with(2) + "}"), 64)),
      doctest::Contains("it reads images"),
      NetworkError);
}
