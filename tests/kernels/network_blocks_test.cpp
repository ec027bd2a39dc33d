#include "kernels/network_blocks.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/parallel/exchange.h"
#include "kernels/work.h"

using namespace rightsize;

TEST_CASE("blocks: of any network they are all its layers, in order and once") {
  for (const auto* name : {"resnet50", "vgg16", "bert-base", "gpt2", "llama-8b", "ptb-small"}) {
    const auto network = make_network(name);
    std::size_t next = 0;
    std::uint64_t parameters = 0;
    for (const auto& block : blocks_of(network)) {
      CHECK_MESSAGE(block.first == next, name);
      CHECK_MESSAGE(block.end > block.first, name);
      next = block.end;
      parameters += parameter_count(network, block);
    }
    CHECK_MESSAGE(next == network.layers.size(), name);
    CHECK_MESSAGE(parameters == parameter_count(network), name);
  }
}

TEST_CASE("blocks: a transformer's are its layers, with what lies before and after apart") {
  const auto network = make_network("llama-8b", 4096);
  const auto blocks = blocks_of(network);
  REQUIRE(blocks.size() == 34);
  CHECK_FALSE(blocks.front().recomputable);
  CHECK_FALSE(blocks.back().recomputable);
  CHECK(parameter_count(network, blocks.front()) == 128'256ULL * 4096);
  CHECK(parameter_count(network, blocks.back()) == 128'257ULL * 4096);  // the last norm too
  for (std::size_t i = 1; i + 1 < blocks.size(); ++i) {
    CHECK(blocks[i].recomputable);
    // q, k, v, o of 32 heads and 8 of keys and values; gate, up and down of 14336; two norms.
    CHECK(parameter_count(network, blocks[i]) ==
          4096ULL * (4096 + 2 * 1024 + 4096 + 3 * 14'336 + 2));
  }
  CHECK(blocks_of(make_network("bert-base")).size() == 14);
  CHECK(blocks_of(make_network("gpt2")).size() == 14);
  CHECK(is_transformer(network));
  CHECK_FALSE(is_transformer(make_network("resnet50")));
}

TEST_CASE("blocks: sharded parameters are a part of all and two blocks gathered") {
  const auto network = make_network("llama-8b", 4096);
  const auto bytes = [&](int ranks) {
    return sharded_parameter_bytes(network, Phase::train, Precision::bf16, ranks);
  };
  const std::uint64_t parameters = parameter_count(network);
  // Master, gradient and Adam's two moments in FP32 are divided; the head and the block before it
  // are the largest neighbours, of which weights and gradients are there in 16 bits.
  const std::uint64_t gathered = 2 * 2 * (128'257ULL * 4096 + 218'112'000ULL);
  CHECK(bytes(1) == 16 * parameters + gathered);
  CHECK(bytes(8) == 2 * parameters + gathered);
  CHECK(bytes(64) == parameters / 4 + gathered);
  CHECK(sharded_parameter_bytes(network, Phase::forward_backward, Precision::bf16, 8) ==
        parameters + gathered);
}

TEST_CASE("blocks: recomputation keeps blocks' inputs and the activations of one") {
  const auto network = make_network("llama-8b", 4096);
  const auto kept = activation_elements_by_layer(network);
  const auto blocks = blocks_of(network);
  std::uint64_t one = 0;
  for (std::size_t i = blocks[1].first; i < blocks[1].end; ++i) {
    one += kept[i];
  }
  const std::uint64_t inputs = 32ULL * 4096 * 4096;
  const auto recomputed = recomputed_activation_elements(network);
  CHECK(recomputed > inputs + one);
  CHECK(recomputed < activation_elements(network) / 5);
  // A longer network adds its blocks' inputs alone: 80 - 32 of them, each of 8192 features.
  const auto large = make_network("llama-70b", 4096);
  CHECK(recomputed_activation_elements(large) < activation_elements(large) / 10);
}

TEST_CASE("blocks: no engine runs sharded training, and says what to do") {
  CHECK(parse_exchange("sharded") == Exchange::sharded);
  CHECK(parse_exchange("fsdp") == Exchange::sharded);
  CHECK(parse_exchange("zero3") == Exchange::sharded);
  CHECK(to_string(Exchange::sharded) == "sharded");
  CHECK_THROWS_WITH_AS(static_cast<void>(make_exchange(Exchange::sharded, Compression::none, 2)),
                       doctest::Contains("predicted, not run"),
                       EngineError);
}
