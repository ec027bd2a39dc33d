#include "models/laws/sharded_exchange.h"

#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/network_blocks.h"
#include "kernels/work.h"
#include "models/laws/gpu_kernels.h"
#include "models/laws/gpu_memory.h"
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

}  // namespace

TEST_CASE("sharded exchange: gathering is half an all-reduce, hierarchical between nodes") {
  const auto law = timetable_only();
  const double bytes = 1e9;
  CHECK(gather_seconds(law, cluster(8, 1, 100e9), bytes) == test::approx(7.0 / 8 * bytes / 100e9));
  CHECK(gather_seconds(law, cluster(8, 4, 100e9, 50e9), bytes) ==
        test::approx(7.0 / 8 * bytes / 100e9 + 3.0 / 4 * bytes / 50e9));
  CHECK(gather_seconds(law, cluster(1, 1, 100e9), bytes) == 0);
}

TEST_CASE("sharded exchange: through host memory one more GPU never slows the node") {
  const auto law = timetable_only();
  const double bytes = 1e9;
  auto eight = cluster(8, 1, 22e9);
  eight.interconnect.link = NodeLink::host;
  // Each part into host memory once, and out to seven others: 8 x 1e9 in and out.
  CHECK(gather_seconds(law, eight, bytes) == test::approx(8 * bytes / law.host_sum_bytes_per_s));
  const std::vector<ShardedBlock> blocks(4, ShardedBlock{2e9, 2e9, 1, 2, 1});
  double before = 0;
  for (const int gpus : {2, 3, 4, 6, 8, 16}) {
    auto node = cluster(gpus, 1, 22e9);
    node.interconnect.link = NodeLink::host;
    const double copies_per_s = gpus / sharded_step_seconds(law, node, blocks, false, 0.1);
    CHECK(copies_per_s >= test::approx(before));
    before = copies_per_s;
  }
}

TEST_CASE("sharded exchange: two blocks by hand") {
  const auto law = timetable_only();
  const auto two = cluster(2, 1, 1e9);  // half of a block's bytes a second
  // A step of 6 s: blocks of 1 s forward and 2 s backward. 2e9 bytes a block: 1 s a collective.
  const std::vector<ShardedBlock> blocks(2, ShardedBlock{2e9, 2e9, 1, 2, 1});
  // 0-1 gather A; 1-2 A forward, gather B; 2-3 B forward; 3-5 B backward, gather A; 5-6 scatter B;
  // 5-7 A backward; 7-8 scatter A.
  CHECK(sharded_step_seconds(law, two, blocks, false, 6) == test::approx(8));
  // Frozen blocks have no gradients to scatter.
  const std::vector<ShardedBlock> frozen(2, ShardedBlock{2e9, 0, 1, 2, 1});
  CHECK(sharded_step_seconds(law, two, frozen, false, 6) == test::approx(7));
  // Links that take no time show nothing; four times as slow they are what the step takes:
  // 0-4 gather A, 5-... gather B while A computes: 4-8, B forward 8-9, backward 9-11, gather A
  // 9-13, scatter B 13-17, A backward 13-15, scatter A 17-21.
  CHECK(sharded_step_seconds(law, cluster(2, 1, 1e18), blocks, false, 6) == test::approx(6));
  CHECK(sharded_step_seconds(law, cluster(2, 1, 0.25e9), blocks, false, 6) == test::approx(21));
  // What is run again belongs to the backward pass: 2 s forward, 6 s backward of a step of 8.
  CHECK(sharded_step_seconds(law, two, blocks, true, 8) == test::approx(10));
  CHECK(sharded_step_seconds(law, cluster(1, 1, 1e9), blocks, false, 6) == 6);
}

TEST_CASE("sharded exchange: moves one and a half times an all-reduce, less the last block") {
  const auto law = timetable_only();
  const auto network = make_network("llama-8b", 128);
  const auto links = cluster(8, 1, 1e6);  // so slow that nothing else shows
  const double parameters = static_cast<double>(parameter_count(network));
  const double last = static_cast<double>(parameter_count(network, blocks_of(network).back()));
  const double moved = 2 * (3 * parameters - last);
  CHECK(sharded_step_seconds(law, links, sharded_blocks(network, Precision::bf16), false, 1e-3) ==
        test::approx(7.0 / 8 * moved / 1e6).epsilon(1e-6));
}

// Dettmers et al., NeurIPS 2023: what is frozen stays in 4 bits, whatever the kernels compute in.
TEST_CASE("sharded exchange: frozen 4 bits are sent as they are, adapters in what is computed in") {
  auto network = make_network("llama-8b", 128);
  network.adapters = parse_adapters("qlora:16").value();
  const auto sums = [&](Precision precision) {
    std::pair<double, double> sum;
    for (const auto& block : sharded_blocks(network, precision)) {
      sum.first += block.gathered_bytes;
      sum.second += block.gradient_bytes;
    }
    return sum;
  };
  // Of every block 7 matrices get rank 16 on both sides: q, k, v, o, gate, up and down.
  constexpr double adapters =
      32 * 16.0 * (8192 + 2 * 5120 + 8192 + 2 * (4096 + 14336) + (14336 + 4096));
  const auto [gathered_16, gradients_16] = sums(Precision::bf16);
  const auto [gathered_32, gradients_32] = sums(Precision::fp32);
  CHECK(gradients_16 == test::approx(2 * adapters));
  CHECK(gradients_32 == test::approx(4 * adapters));
  CHECK(gathered_32 - gathered_16 == test::approx(2 * adapters));
  // Blocks' matrices in 4 bits, table and head in FP32.
  constexpr double matrices = 32 * 4096.0 * (4096 + 2 * 1024 + 4096 + 3 * 14336);
  constexpr double ends = 2 * 4096.0 * 128'256;
  CHECK(gathered_16 == test::approx(matrices * 4.127 / 8 + 4 * ends + 2 * adapters).epsilon(1e-3));
}

TEST_CASE("sharded exchange: never faster than alone, and slower on slower networks") {
  const ExchangeLaw law;
  const auto blocks = sharded_blocks(make_network("llama-8b", 4096), Precision::bf16);
  double last = 0;
  for (const double fabric : {1e12, 400e9, 50e9, 12.5e9, 1.25e9}) {
    const double step = sharded_step_seconds(law, cluster(8, 4, 345e9, fabric), blocks, false, 0.5);
    CHECK(step > 0.5);
    CHECK(step >= last);
    last = step;
  }
}

TEST_CASE("recomputation: blocks' forward kernels are there once more, and no others") {
  const auto network = make_network("llama-8b", 2048);
  const auto flops = [](const GpuWork& work) {
    double sum = 0;
    for (const auto& kernel : work.kernels) {
      sum += kernel.count * kernel.flops_per_item;
    }
    return sum;
  };
  const double kept = flops(gpu_work(network, Phase::train));
  const double again = flops(gpu_work(network, Phase::train, true));
  const double forward = flops(gpu_work(network, Phase::forward));
  const auto& head = network.layers[network.layers.size() - 2];
  REQUIRE(head.name == "head");
  const double of_head = 2.0 * 2048 * 4096 * 128'256;
  CHECK(again - kept == test::approx(forward - of_head));
  CHECK(again / kept == test::approx(4.0 / 3).epsilon(0.03));
  CHECK(flops(gpu_work(network, Phase::infer, true)) == flops(gpu_work(network, Phase::infer)));
}

TEST_CASE("gpu memory: llama-8b fits no GPU alone, and eight that share its parameters") {
  const auto network = make_network("llama-8b", 4096);
  GpuSpec h100;
  h100.name = "H100";
  h100.memory_gb = 80;
  const auto judged = [&](const MemoryWay& way, int batch = 1) {
    return judge_memory(gpu_memory_need(network, Phase::train, Precision::bf16, batch, way), h100);
  };
  CHECK(judged({}) == MemoryVerdict::too_small);
  CHECK(judged({0, true}) == MemoryVerdict::too_small);
  CHECK(judged({8, false}) != MemoryVerdict::too_small);
  CHECK(judged({8, false}, 8) == MemoryVerdict::too_small);
  CHECK(judged({8, true}, 8) != MemoryVerdict::too_small);
  // A phase without a backward pass has nothing to share or to run again.
  CHECK(gpu_memory_need(network, Phase::infer, Precision::bf16, 1, {8, true}).total() ==
        gpu_memory_need(network, Phase::infer, Precision::bf16, 1).total());
}
