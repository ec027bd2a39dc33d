// Experts that ranks divide: what crosses the links, by hand, and what a step then is.
#include "models/laws/expert_exchange.h"

#include <doctest/doctest.h>

#include "kernels/network_blocks.h"
#include "models/laws/gpu_memory.h"
#include "models/laws/sharded_exchange.h"

using namespace rightsize;

namespace {

Cluster cluster(int gpus, int nodes) {
  Interconnect links;
  links.link = NodeLink::nvlink;
  links.link_bytes_per_s = 100e9;
  links.fabric_bytes_per_s = 40e9;
  links.link_latency_s = 0;
  links.fabric_latency_s = 0;
  return {gpus, nodes, links};
}

const ExchangeLaw law;

}  // namespace

TEST_CASE("expert exchange: all-to-all sends each other rank as much, near and far at once") {
  // Of 8 GB to eight one stays: seven go over the links.
  CHECK(all_to_all_seconds(law, cluster(8, 1), {8}, 8e9) == doctest::Approx(7e9 / 100e9));
  // Of 16 GB to sixteen on two nodes eight leave, and the node's line carries those of all eight.
  CHECK(all_to_all_seconds(law, cluster(8, 2), {16}, 16e9) == doctest::Approx(64e9 / 40e9));
  // Groups within a node never leave it.
  CHECK(all_to_all_seconds(law, cluster(8, 2), {4}, 4e9) == doctest::Approx(3e9 / 100e9));
}

TEST_CASE("expert exchange: who has the same experts gathers them, and nobody where one has each") {
  CHECK(expert_gather_seconds(law, cluster(8, 2), {16}, 32e9) == 0);
  // By eight on each of two nodes: a line carries what all eight have, 32 GB, once.
  CHECK(expert_gather_seconds(law, cluster(8, 2), {8}, 32e9) ==
        doctest::Approx(law.launch_s + 32e9 / 2 / 40e9));
  const double all = gather_seconds(law, cluster(8, 2), 32e9);
  CHECK(expert_gather_seconds(law, cluster(8, 2), {1}, 32e9) ==
        doctest::Approx(all + law.launch_s));  // asked in two parts
}

TEST_CASE("expert exchange: a token's features go to the experts that it takes") {
  const auto network = make_network("mixtral-8x7b", 512);
  double elements = 0;
  int blocks = 0;
  for (const auto& block : blocks_of(network)) {
    elements += routed_elements(network, block);
    blocks += block.recomputable ? 1 : 0;
  }
  CHECK(blocks == 32);
  CHECK(elements == 32.0 * 512 * 2 * 4096);
  CHECK(divides_experts(network, cluster(8, 2), 8));
  CHECK_FALSE(divides_experts(network, cluster(8, 2), 16));  // of eight
  CHECK_FALSE(divides_experts(network, cluster(6, 2), 4));   // neither within a node nor by nodes
}

TEST_CASE("expert exchange: divided experts are not gathered, in memory or on the links") {
  const auto network = make_network("mixtral-8x7b", 2048);
  const auto need = [&](int expert_ranks) {
    return gpu_memory_need(network,
                           Phase::train,
                           Precision::bf16,
                           1,
                           {.shards = 16, .recompute = true, .expert_ranks = expert_ranks})
        .parameters_bytes;
  };
  // Two blocks' weights and gradients in 16 bits: of 1.41 billion parameters each seven eighths.
  const double spared = need(1) - need(8);
  CHECK(spared == doctest::Approx(2 * 2 * 2 * 1.409e9 * 7 / 8).epsilon(0.01));
  const auto blocks = sharded_blocks(network, Precision::bf16);
  const auto step = [&](int expert_ranks) {
    return sharded_step_seconds(law, cluster(8, 2), blocks, false, 1, {expert_ranks, 1, 2});
  };
  CHECK(step(8) < step(1));
  CHECK(step(8) > 1);
}
