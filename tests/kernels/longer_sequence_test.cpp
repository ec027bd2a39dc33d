// Sequences longer than a network was trained for: in training alone, and by rotary positions
// alone.
#include "kernels/longer_sequence.h"

#include <string>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/work.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

void refused(const std::string& name, int sequence, Phase phase, const char* why) {
  CAPTURE(name);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(make_network(name, sequence, phase)), doctest::Contains(why), EngineError);
}

}  // namespace

TEST_CASE("longer sequence: what is trained with rotary positions may read it, and says so once") {
  for (const auto* name : {"llama-160m", "llama-2-7b", "pythia-70m", "qwen1.5-moe-a2.7b"}) {
    CAPTURE(name);
    const auto own = make_network(name, 2048);
    const auto longer = make_network(name, 16'384, Phase::train);
    CHECK(longer.input.positions() == 16'384);
    CHECK(parameter_count(longer) == parameter_count(own));
    REQUIRE(longer.notes.size() == own.notes.size() + 1);
    CHECK(longer.notes.back().find("sequences of 16384 tokens are longer than the") == 0);
    CHECK(longer.notes.back().find("rotary positions must be scaled") != std::string::npos);
    CHECK(forward_flops(longer) > 8 * forward_flops(own));
    refused(name, 16'384, Phase::infer, "it was trained for");
    refused(name, 16'384, Phase::decode, "it was trained for");
  }
  for (const auto* name : {"modernbert-base", "modernbert-large", "nomic-embed-text"}) {
    CHECK(make_network(name, 16'384, Phase::train).notes.size() ==
          make_network(name, 512).notes.size() + 1);
  }
}

TEST_CASE("longer sequence: up to what it was trained for nothing is said") {
  const auto as_trained = make_network("llama-2-70b", 4096, Phase::train);
  CHECK(as_trained.notes == make_network("llama-2-70b", 4096).notes);
  CHECK(make_network("llama-2-70b", 8192, Phase::train).notes.back().find("Llama 2 70B") !=
        std::string::npos);
  CHECK(make_network("llama-8b", 0, Phase::train).input == make_network("llama-8b").input);
  CHECK(make_network("resnet50", 0, Phase::train).input == make_network("resnet50").input);
}

TEST_CASE("longer sequence: a table of positions ends in training too") {
  refused("gpt2", 2048, Phase::train, "");
  refused("gpt2-xl", 2048, Phase::train, "it was trained for 1024");
  refused("bert-base", 513, Phase::train, "it was trained for 512");
  refused("opt-125m", 4096, Phase::train, "it was trained for 2048");
  refused("llama-160m", 1 << 23, Phase::train, "it was trained for 2048");  // nobody's length
  refused("llama-160m", -1, Phase::train, "use 1 or more");
}

TEST_CASE("longer sequence: a config.json's network too") {
  const TemporaryFolder folder;
  const auto path = folder.write("config.json", R"({
    "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 32})");
  CHECK(make_network(path, 64, Phase::train).input.positions() == 64);
  refused(path, 64, Phase::infer, "it was trained for 32");
}
