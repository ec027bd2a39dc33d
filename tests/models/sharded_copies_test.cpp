// Parameters sharded by GPUs that share layers or sequences: closed forms of the timetable.
#include "models/laws/sharded_copies.h"

#include <vector>

#include <doctest/doctest.h>

#include "kernels/longer_sequence.h"
#include "kernels/network_blocks.h"
#include "kernels/work.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

Cluster cluster(int per_node, int nodes, double link_bytes_per_s, double fabric_bytes_per_s = 0) {
  Interconnect links;
  links.link = NodeLink::nvlink;
  links.link_bytes_per_s = link_bytes_per_s;
  links.fabric_bytes_per_s = fabric_bytes_per_s;
  return {per_node, nodes, links};
}

// No launches, no waiting for others: what is left is the timetable.
ExchangeLaw timetable_only() {
  ExchangeLaw law;
  law.launch_s = 0;
  law.hidden_cost = 0;
  law.step_jitter = 0;
  law.coordination = 0;
  return law;
}

ModelShape two_blocks() {
  ModelShape shape;
  shape.blocks = 2;
  shape.passed_elements = 1e9;
  shape.attended_elements = 0.5e9;
  shape.heads = shape.query_heads = 8;
  shape.positions = 4096;
  return shape;
}

}  // namespace

TEST_CASE("sharded copies: GPUs that share a sequence gather as any others, and its keys beside") {
  const auto law = timetable_only();
  const auto eight = cluster(8, 1, 100e9);
  const std::vector<ShardedBlock> blocks(2, ShardedBlock{4e9, 4e9, 1, 2, 1});
  const ModelParallel way{.context = 8};
  // Keys and values, half of a gathered block's bytes at 2 bytes each: twice, their gradients, and
  // again where blocks run again.
  const double gather_s = 7.0 / 8 * 1e9 / 100e9;
  CHECK(shared_layers_seconds(law, eight, way, two_blocks(), 2, 2, false) ==
        test::approx(2 * 3 * gather_s));
  CHECK(shared_layers_seconds(law, eight, way, two_blocks(), 2, 2, true) ==
        test::approx(2 * 4 * gather_s));
  for (const bool recompute : {false, true}) {
    const double alone_s =
        5 + shared_layers_seconds(law, eight, way, two_blocks(), 2, 2, recompute);
    CHECK(
        sharded_copies_step_seconds(law, eight, way, two_blocks(), blocks, 3, 2, recompute, 5.0) ==
        test::approx(3 * sharded_step_seconds(law, eight, blocks, recompute, alone_s)));
  }
}

// Each of t GPUs has 1 / t of a block and gathers its part from the other copies over its own link.
TEST_CASE("sharded copies: GPUs that share layers gather their parts at once") {
  const auto law = timetable_only();
  const std::vector<ShardedBlock> blocks(2, ShardedBlock{4e9, 4e9, 1, 2, 1});
  std::vector<ShardedBlock> quarter(2, ShardedBlock{1e9, 1e9, 1, 2, 1});
  const ModelParallel way{.tensor = 4};
  const auto sixteen = cluster(8, 2, 100e9, 40e9);
  const double alone_s = 1e-3 + shared_layers_seconds(law, sixteen, way, two_blocks(), 2, 2, false);
  // Two copies in each node over the GPUs' links, two nodes over a quarter of a node's line each.
  CHECK(
      sharded_copies_step_seconds(law, sixteen, way, two_blocks(), blocks, 1, 2, false, 1e-3) ==
      test::approx(sharded_step_seconds(law, cluster(2, 2, 100e9, 10e9), quarter, false, alone_s)));
  // One copy alone has nothing to gather.
  const ModelParallel all{.tensor = 8};
  const auto eight = cluster(8, 1, 100e9);
  CHECK(sharded_copies_step_seconds(law, eight, all, two_blocks(), blocks, 2, 2, false, 1.0) ==
        test::approx(2 * (1 + shared_layers_seconds(law, eight, all, two_blocks(), 2, 2, false))));
}

// torchtitan trained Llama 3 8B on 65,536 to 262,144 tokens so, by two, four and eight GPUs that
// share a sequence, full recomputation, with 84 GiB of 96 in use
// (benchmarks/llama3_h100_202412_torchtitan.md).
TEST_CASE("sharded copies: of parameters each of the GPUs has a part, whoever shares a sequence") {
  const auto network = make_network("llama-8b", 65'536, Phase::train);
  const auto need = [&](bool divided) {
    return gpu_memory_need(network,
                           Phase::train,
                           Precision::bf16,
                           1,
                           {.shards = 8,
                            .recompute = true,
                            .parallel = {.context = 2},
                            .divides_parameters = divided});
  };
  const auto whole = gpu_memory_need(
      network, Phase::train, Precision::bf16, 1, MemoryWay{.shards = 8, .recompute = true});
  CHECK(need(true).parameters_bytes == test::approx(whole.parameters_bytes));
  CHECK(need(true).activations_bytes == test::approx(whole.activations_bytes / 2));
  // With ZeRO stage 1 weights in 16 bits and gradients in 32 are whole.
  CHECK(need(false).parameters_bytes > 6.0 * 8e9);
  const auto halved = gpu_memory_need(
      network,
      Phase::train,
      Precision::bf16,
      1,
      {.shards = 4, .recompute = true, .parallel = {.tensor = 2}, .divides_parameters = true});
  CHECK(halved.parameters_bytes == test::approx(static_cast<double>(sharded_parameter_bytes(
                                                    network, Phase::train, Precision::bf16, 4)) /
                                                2));
}
