// Language models whose blocks are not Llama's: how they are wired, that the CPU engine learns with
// each kind, and what a config.json makes of them.
#include "kernels/networks/causal.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/network_blocks.h"
#include "kernels/network_error.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/gradient_check.h"
#include "support/temporary_folder.h"
#include "support/tiny_batch.h"
#include "support/tiny_causal.h"

using namespace rightsize;

namespace {

const Layer& layer_of(const Network& network, const std::string& name) {
  const auto found = std::find_if(network.layers.begin(),
                                  network.layers.end(),
                                  [&](const Layer& one) { return one.name == name; });
  REQUIRE(found != network.layers.end());
  return *found;
}

// "sum(projection,down,...)": names of what a layer reads.
std::vector<std::string> read_by(const Network& network, const std::string& name) {
  std::vector<std::string> names;
  for (const int input : layer_of(network, name).inputs) {
    names.push_back(network.layers[static_cast<std::size_t>(input)].name);
  }
  return names;
}

using Names = std::vector<std::string>;

Network wired(BlockOrder order) {
  auto config = test::tiny_causal("tiny");
  config.order = order;
  return make_causal(config, 8);
}

Network read(const std::string& fields, int sequence = 64) {
  const TemporaryFolder folder;
  return make_network(folder.write("config.json", "{" + fields + "}"), sequence);
}

}  // namespace

TEST_CASE("causal: norms and sums lie as the block's order says") {
  const auto gpt2 = wired(BlockOrder::norms_first);
  CHECK(read_by(gpt2, "block1_norm1") == Names{"tokens"});
  CHECK(read_by(gpt2, "block1_sum1") == Names{"block1_projection", "tokens"});
  CHECK(read_by(gpt2, "block1_up") == Names{"block1_norm2"});
  CHECK(read_by(gpt2, "block2_norm1") == Names{"block1_sum2"});
  const auto gptj = wired(BlockOrder::parallel);
  CHECK(read_by(gptj, "block1_qkv") == Names{"block1_norm"});
  CHECK(read_by(gptj, "block1_up") == Names{"block1_norm"});
  CHECK(read_by(gptj, "block1_sum") == Names{"block1_projection", "block1_down", "tokens"});
  const auto neox = wired(BlockOrder::parallel_two_norms);
  CHECK(read_by(neox, "block2_norm1") == Names{"block1_sum"});
  CHECK(read_by(neox, "block2_norm2") == Names{"block1_sum"});
  CHECK(read_by(neox, "block2_up") == Names{"block2_norm2"});
  const auto behind = wired(BlockOrder::norms_behind_sums);
  CHECK(read_by(behind, "block1_qkv") == Names{"tokens"});
  CHECK(read_by(behind, "block1_norm1") == Names{"block1_sum1"});
  CHECK(read_by(behind, "block1_sum2") == Names{"block1_down", "block1_norm1"});
  CHECK(read_by(behind, "block2_qkv") == Names{"block1_norm2"});
  const auto olmo2 = wired(BlockOrder::norms_on_branches);
  CHECK(read_by(olmo2, "block1_norm1") == Names{"block1_projection"});
  CHECK(read_by(olmo2, "block1_sum1") == Names{"block1_norm1", "tokens"});
  CHECK(read_by(olmo2, "block1_sum2") == Names{"block1_norm2", "block1_sum1"});
}

// What sharding gathers and pipelines divide.
TEST_CASE("causal: each block is one of the network's blocks") {
  for (const auto& config : test::tiny_causals()) {
    CAPTURE(config.name);
    const auto network = make_causal(config, 16);
    const auto blocks = blocks_of(network);
    CHECK(std::count_if(blocks.begin(), blocks.end(), [](const Block& block) {
            return block.recomputable;
          }) == config.layers);
    CHECK(is_transformer(network));
  }
}

TEST_CASE("causal: the CPU engine has the right gradients of each kind of block") {
  for (auto config : test::tiny_causals()) {
    CAPTURE(config.name);
    config.layers = 1;
    test::check_gradients(make_causal(config, 6), 2);
  }
}

TEST_CASE("causal: the CPU engine trains each kind of block") {
  constexpr int items = 2;
  for (const auto& config : test::tiny_causals()) {
    CAPTURE(config.name);
    const auto network = make_causal(config, 6);
    EngineOptions options;
    options.batch = items;
    options.threads = 1;
    options.learning_rate = 1e-2F;
    cpu::CpuEngine engine(network, options);
    const auto batch = test::noise_batch(network, items);
    const auto start = engine.step(batch.view()).loss.value();
    CHECK(start == test::approx(std::log(29)).epsilon(0.2));
    for (int i = 0; i < 30; ++i) {
      engine.step(batch.view());
    }
    CHECK(engine.step(batch.view()).loss.value() < 0.5 * start);
  }
}

TEST_CASE("causal: a Falcon's file says which of three blocks it has") {
  const std::string shape = R"("model_type": "falcon", "hidden_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 8, "num_kv_heads": 8, "vocab_size": 100, )";
  const auto seven = read(shape + R"("multi_query": true, "parallel_attn": true)");
  CHECK(layer_of(seven, "block1_attention").kv_heads == 1);
  CHECK(layer_of(seven, "block1_attention").rotary_base == 10'000);
  CHECK(read_by(seven, "block1_up") == Names{"block1_norm"});
  CHECK(layer_of(seven, "head").tied_to > 0);
  const auto newer = read(shape + R"("new_decoder_architecture": true)");
  CHECK(layer_of(newer, "block1_attention").kv_heads == 8);
  CHECK(read_by(newer, "block1_up") == Names{"block1_norm2"});
  const auto first = read(shape + R"("multi_query": false, "parallel_attn": false, "bias": true,
    "alibi": true)");
  CHECK(layer_of(first, "block1_attention").rotary_base == 0);
  CHECK(layer_of(first, "block1_qkv").bias);
  CHECK(read_by(first, "block1_up") == Names{"block1_norm2"});
  REQUIRE(first.notes.size() == 1);
  CHECK(first.notes[0].find("ALiBi") != std::string::npos);
}

TEST_CASE("causal: windows are of the blocks that have them") {
  const auto windows_of = [](const std::string& fields) {
    std::string windows;
    for (const auto& layer : read(fields, 512).layers) {
      windows += layer.kind == LayerKind::attention ? std::to_string(layer.window) + " " : "";
    }
    return windows;
  };
  CHECK(windows_of(R"("model_type": "gpt_neo", "hidden_size": 32, "num_layers": 4, "num_heads": 4,
    "vocab_size": 9, "attention_types": [[["global", "local"], 2]], "window_size": 16)") ==
        "0 16 0 16 ");
  const std::string shape = R"(, "hidden_size": 32, "num_hidden_layers": 4, "vocab_size": 9,
    "num_attention_heads": 4, "intermediate_size": 48, "sliding_window": 16)";
  CHECK(windows_of(R"("model_type": "cohere2")" + shape) == "16 16 16 0 ");
  CHECK(windows_of(R"("model_type": "olmo3")" + shape) == "16 16 16 0 ");
  CHECK(windows_of(R"("model_type": "starcoder2")" + shape) == "16 16 16 16 ");
}

TEST_CASE("causal: GPT-2's file is GPT-2") {
  const auto file = read(R"("model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12,
    "n_positions": 1024, "n_ctx": 1024, "n_inner": null, "vocab_size": 50257,
    "activation_function": "gelu_new", "resid_pdrop": 0.1)");
  CHECK(file.layers == make_network("gpt2", 64).layers);
  CHECK(file.notes.empty());
}

TEST_CASE("causal: of Command R's two contexts the longer one counts") {
  const auto file = read(R"("model_type": "cohere", "hidden_size": 64, "num_hidden_layers": 1,
    "num_attention_heads": 4, "intermediate_size": 96, "vocab_size": 100,
    "max_position_embeddings": 64, "model_max_length": 512)",
                         512);
  CHECK(file.input.positions() == 512);
  CHECK(layer_of(file, "block1_norm").kind == LayerKind::rms_norm);
  const auto other = read(R"("model_type": "cohere", "hidden_size": 64, "num_hidden_layers": 1,
    "num_attention_heads": 4, "intermediate_size": 96, "vocab_size": 100,
    "max_position_embeddings": 512, "model_max_length": 64)",
                          512);
  CHECK(other.input.positions() == 512);
}

// MosaicML's own: 6,649,286,656 parameters (mosaicml/mpt-7b), from memory.
TEST_CASE("causal: an MPT's file has its attention in an object of its own") {
  const auto mpt = read(R"("model_type": "mpt", "d_model": 4096, "n_layers": 32, "n_heads": 32,
    "expansion_ratio": 4, "max_seq_len": 2048, "vocab_size": 50432, "no_bias": true,
    "attn_config": {"alibi": true, "attn_type": "multihead_attention", "qk_ln": false})");
  CHECK(parameter_count(mpt) == 6'649'286'656);
  CHECK(mpt.notes.size() == 1);
}

TEST_CASE("causal: what a file lacks or has otherwise is named") {
  const auto fails = [](const std::string& fields, const char* why) {
    CHECK_THROWS_WITH_AS(static_cast<void>(read(fields)), doctest::Contains(why), NetworkError);
  };
  fails(R"("model_type": "gptj", "n_layer": 2, "n_head": 4, "vocab_size": 9)",
        R"(config.json: "hidden_size" or "n_embd" or "n_embed" or "d_model" is missing)");
  const std::string shape = R"("hidden_size": 32, "num_hidden_layers": 2, "vocab_size": 9)";
  fails(R"("model_type": "bloom", )" + shape + R"(, "n_head": 5)",
        "a width of 32 is not divided by the 5 attention heads");
  const auto of = [&](const char* type, const char* more) {
    return R"("model_type": ")" + std::string(type) + "\", " + shape +
           R"(, "num_attention_heads": 4)" + more;
  };
  fails(of("opt", R"(, "activation_function": "swish2")"),
        R"("activation_function" is "swish2"; known are relu, relu2, gelu, gelu_new and silu)");
  fails(of("opt", R"(, "enable_bias": false)"), R"("enable_bias" is false; only true is known)");
  fails(of("gpt_neo", R"(, "attention_types": [[["local"], 2]])"), R"("attention_types" is not)");
  fails(of("stablelm", R"(, "num_key_value_heads": 3)"), "does not divide the 4 attention heads");
  fails(of("phi", R"(, "max_position_embeddings": 16)"), "it was trained for 16");
  fails(of("rwkv", ""), "known are llama, ");
  fails(of("rwkv", ""), "gpt_neox, bloom, falcon");
}
