// Experts that ranks divide: what crosses the links, by hand, and what a step then is.
#include "models/laws/expert_exchange.h"

#include <doctest/doctest.h>

#include "kernels/network_blocks.h"
#include "kernels/tuning.h"
#include "kernels/work.h"
#include "models/laws/gpu_kernels.h"
#include "models/laws/gpu_memory.h"
#include "models/laws/model_parallel.h"
#include "models/laws/sharded_exchange.h"
#include "support/approx.h"

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
  CHECK(all_to_all_seconds(law, cluster(8, 1), 8, 8e9) == test::approx(7e9 / 100e9));
  // Of 16 GB to sixteen on two nodes eight leave, and the node's line carries those of all eight.
  CHECK(all_to_all_seconds(law, cluster(8, 2), 16, 16e9) == test::approx(64e9 / 40e9));
  // Each token to eight experts: once to the other node, unless all are on its own.
  const double once = 2e9 * (1 - 1.0 / 256);
  CHECK(all_to_all_seconds(law, cluster(8, 2), 16, 16e9, 8) == test::approx(8 * once / 40e9));
  // Groups within a node never leave it.
  CHECK(all_to_all_seconds(law, cluster(8, 2), 4, 4e9) == test::approx(3e9 / 100e9));
}

TEST_CASE("expert exchange: who has the same experts gathers them, and nobody where one has each") {
  CHECK(expert_gather_seconds(law, cluster(8, 2), {16}, 32e9) == 0);
  // By eight on each of two nodes: a line carries what all eight have, 32 GB, once.
  CHECK(expert_gather_seconds(law, cluster(8, 2), {8}, 32e9) ==
        test::approx(law.launch_s + 32e9 / 2 / 40e9));
  const double all = gather_seconds(law, cluster(8, 2), 32e9);
  CHECK(expert_gather_seconds(law, cluster(8, 2), {1}, 32e9) ==
        test::approx(all + law.launch_s));  // asked in two parts
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
                           {.shards = 16, .recompute = true, .gathered_experts = expert_ranks})
        .parameters_bytes;
  };
  // Two blocks' weights and gradients in 16 bits: of 1.41 billion parameters each seven eighths.
  const double spared = need(1) - need(8);
  CHECK(spared == test::approx(2 * 2 * 2 * 1.409e9 * 7 / 8).epsilon(0.01));
  const auto blocks = sharded_blocks(network, Precision::bf16);
  const auto step = [&](int expert_ranks) {
    return sharded_step_seconds(law, cluster(8, 2), blocks, false, 1, {expert_ranks, 1, 2});
  };
  CHECK(step(8) < step(1));
  CHECK(step(8) > 1);
}

TEST_CASE("expert exchange: copies that divide experts hold, route and average their part") {
  const auto network = make_network("mixtral-8x7b", 2048);
  const auto shape = model_shape(network);
  CHECK(shape.expert_parameters == test::approx(45.1e9).epsilon(0.01));
  CHECK(shape.routed_elements == 2048.0 * 2 * 4096);
  // Sixteen GPUs, all with all layers: 16 bits of weights and gradients, of an eighth of the
  // experts, and a sixteenth of the masters and moments of all.
  const ModelParallel way{.micro_batch = 1, .experts = 8};
  const auto memory = gpu_memory_need(network,
                                      Phase::train,
                                      Precision::bf16,
                                      1,
                                      {.shards = 16, .recompute = true, .parallel = way});
  const double others = shape.parameters - shape.expert_parameters;
  const auto state = state_bytes(network, Phase::train, Precision::bf16);
  const double own = state.gradient + state.copy;
  CHECK(memory.parameters_bytes ==
        test::approx(own * (others + shape.expert_parameters / 8) +
                     (state.kept() + state.copy - own) * shape.parameters / 16)
            .epsilon(0.001));

  const auto step = [&](int experts, double fabric) {
    auto ranks = cluster(8, 2);
    ranks.interconnect.fabric_bytes_per_s = fabric;
    return model_parallel_step_seconds(law, ranks, {1, 1, 1, experts}, shape, 1, 2, false, 1);
  };
  CHECK(step(8, 40e9) < step(1, 40e9));  // seven eighths of the gradients need no averaging
  // But for those within a node: of a node's eight parts the line carries each.
  CHECK(step(1, 1e9) - step(8, 1e9) == test::approx(step(1, 40e9) - step(8, 40e9)).epsilon(0.01));
  // With no gradients at all a block's tokens go over a node's links four times, one eighth stays.
  auto routed = shape;
  routed.parameters = routed.expert_parameters = 0;
  const auto frozen = [&](int experts) {
    return model_parallel_step_seconds(
        law, cluster(8, 2), {1, 1, 1, experts}, routed, 1, 2, false, 1);
  };
  const double routed_s = 32 * 4 * (7.0 / 8) * shape.routed_elements * 2 / 100e9;
  CHECK(frozen(8) - frozen(1) == test::approx(routed_s).epsilon(0.1));  // waiting beside
}

// The work of another micro-batch hides the ways of one, at what hidden exchange costs, until the
// links have more to do than the GPUs; one of a step's has none beside it.
TEST_CASE("expert exchange: in a pipeline tokens go while another micro-batch computes") {
  auto shape = model_shape(make_network("mixtral-8x7b", 2048));
  shape.parameters = shape.expert_parameters = 0;
  shape.block_share = 1;
  auto instant = law;
  instant.coordination = instant.step_jitter = 0;
  const auto step = [&](int experts, double links, int micro_batches) {
    auto ranks = cluster(8, 2);
    ranks.interconnect.link_bytes_per_s = links;
    ranks.interconnect.fabric_bytes_per_s = 1e18;
    return model_parallel_step_seconds(
        instant, ranks, {1, 2, 1, experts}, shape, micro_batches, 2, false, 4);
  };
  // Turns of a stage of sixteen blocks, which computes 2 s: one more than there are micro-batches.
  CHECK(step(1, 1e18, 1) == test::approx(4));
  CHECK(step(1, 1e18, 8) == test::approx(18));
  const double routed_s = 16 * 4 * (7.0 / 8) * shape.routed_elements * 2 / 100e9;
  CHECK(step(8, 100e9, 1) - step(1, 100e9, 1) == test::approx(2 * routed_s).epsilon(0.01));
  const double hidden = (1 + 7 * law.hidden_cost) / 8;
  CHECK(step(8, 100e9, 8) - step(1, 100e9, 8) == test::approx(9 * hidden * routed_s).epsilon(0.01));
  const double slow_s = 1000 * routed_s;  // over links of a thousandth
  CHECK(
      step(8, 1e8, 8) - step(1, 1e8, 8) ==
      test::approx(9 * (slow_s / 8 + 7.0 / 8 * (slow_s - 2 + 2 * law.hidden_cost))).epsilon(0.05));
}

TEST_CASE("expert exchange: copies of a stage are a smaller cluster") {
  const auto copies = copies_of({.tensor = 2, .pipeline = 2}, cluster(8, 4));
  CHECK(copies.gpus_per_node == 4);
  CHECK(copies.nodes == 2);
  CHECK(copies.interconnect.link_bytes_per_s == 200e9);
  CHECK(copies.interconnect.fabric_bytes_per_s == 40e9);
  // Two stages on one node: each has half of its line.
  const auto halves = copies_of({.tensor = 1, .pipeline = 2}, cluster(8, 1));
  CHECK(halves.gpus_per_node == 4);
  CHECK(halves.interconnect.fabric_bytes_per_s == 20e9);
}

TEST_CASE("expert exchange: adapters beside layers that GPUs share") {
  Tuning lora;
  lora.adapters.rank = 16;
  const auto network = tuned(make_network("llama-70b", 4096), lora);
  const auto need = [&](int tensor, int pipeline) {
    return gpu_memory_need(network,
                           Phase::train,
                           Precision::bf16,
                           8,
                           {.shards = 1, .recompute = true, .parallel = {tensor, pipeline, 1}})
        .parameters_bytes;
  };
  CHECK(need(8, 1) == test::approx(need(2, 1) / 4));
  // A quarter of the blocks and the head, half of each; the adapters are 207 million.
  CHECK(need(2, 4) == test::approx(2 * (68.45e9 / 4 + 1.05e9) / 2 + 18 * 207e6 / 8).epsilon(0.01));
  CHECK(model_shape(network).parameters == test::approx(207e6).epsilon(0.01));  // PEFT's count
  const auto flops = [](const GpuWork& work) {
    double sum = 0;
    for (const auto& kernel : work.kernels) {
      sum += kernel.count * kernel.flops_per_item;
    }
    return sum;
  };
  const auto alone = flops(gpu_work(network, Phase::train));
  CHECK(flops(gpu_work(network, Phase::train, false, 8)) > alone / 8);
  CHECK(flops(gpu_work(network, Phase::train, false, 8)) < 1.03 * alone / 8);
}
