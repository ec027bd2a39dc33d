// Experts that lie on a stage's GPUs by themselves, fewer of which share each than share the other
// layers: what each holds, sends and computes, by hand.
#include <algorithm>

#include <doctest/doctest.h>

#include "kernels/network_blocks.h"
#include "kernels/tuning.h"
#include "kernels/work.h"
#include "models/laws/expert_exchange.h"
#include "models/laws/gpu_kernels.h"
#include "models/laws/gpu_memory.h"
#include "models/laws/model_parallel.h"
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

// One that takes no time but for bytes.
ExchangeLaw bytes_alone() {
  ExchangeLaw law;
  law.coordination = law.step_jitter = law.launch_s = 0;
  return law;
}

double flops(const GpuWork& work) {
  double sum = 0;
  for (const auto& kernel : work.kernels) {
    sum += kernel.count * kernel.flops_per_item;
  }
  return sum;
}

}  // namespace

TEST_CASE("folded experts: which blocks have experts alone behind their attention") {
  CHECK(model_shape(make_network("mixtral-8x7b", 512)).expert_blocks == 32);
  CHECK(model_shape(make_network("qwen3-235b-a22b", 512)).expert_blocks == 94);
  CHECK(model_shape(make_network("deepseek-v3", 512)).expert_blocks == 0);  // one for all beside
  CHECK(model_shape(make_network("llama-8b", 512)).expert_blocks == 0);
}

// Mixtral 8x7B: 32 layers of 8 experts of 3 matrices of 4096 x 14336, 45.1e9 of 46.7e9 parameters.
// Of sixteen GPUs four share a layer; each has one expert of the eight whole, and another the same.
TEST_CASE("folded experts: a GPU's memory, by hand") {
  const auto network = make_network("mixtral-8x7b", 2048);
  const double experts = 32.0 * 8 * 3 * 4096 * 14336;
  const double others = static_cast<double>(parameter_count(network)) - experts;
  const auto held = [&](const ModelParallel& way) {
    return gpu_memory_need(network,
                           Phase::train,
                           Precision::bf16,
                           4,
                           {.shards = 16 / way.parts(), .recompute = true, .parallel = way})
        .parameters_bytes;
  };
  // Weights of 16 bits and gradients of 32, of its parts; masters and moments of a sixteenth of
  // all.
  const double own = 2 + 4;
  const double shared = 12 * (experts + others) / 16;
  CHECK(held({.tensor = 4, .experts = 8, .expert_tensor = 1}) ==
        test::approx(own * (others / 4 + experts / 8) + shared).epsilon(1e-6));
  CHECK(held({.tensor = 4, .experts = 4, .expert_tensor = 2}) ==
        test::approx(own * (others / 4 + experts / 8) + shared).epsilon(1e-6));
  CHECK(held({.tensor = 4, .experts = 4}) ==
        test::approx(own * (others / 4 + experts / 16) + shared).epsilon(1e-6));
  // Undivided: all experts of a stage on each of its GPUs.
  CHECK(held({.tensor = 4, .expert_tensor = 1}) ==
        test::approx(own * (others / 4 + experts) + shared).epsilon(1e-6));
  // As many as share the layers is as if it were not said.
  CHECK(held({.tensor = 4, .experts = 4, .expert_tensor = 4}) == held({.tensor = 4, .experts = 4}));
}

TEST_CASE("folded experts: those that divide them are a stage's GPUs, whoever shares layers") {
  const ModelParallel way{.tensor = 2, .pipeline = 2, .experts = 16, .expert_tensor = 1};
  const auto places = expert_copies_of(way, cluster(8, 4));
  CHECK(places.gpus_per_node == 8);
  CHECK(places.nodes == 2);
  CHECK(places.interconnect.link_bytes_per_s == 100e9);
  CHECK(places.interconnect.fabric_bytes_per_s == 40e9);
  const auto network = make_network("qwen3-235b-a22b", 512);
  CHECK(divides_experts(network, places, 16));
  CHECK_FALSE(divides_experts(network, copies_of(way, cluster(8, 4)), 16));  // of eight copies
  const ModelParallel unfolded{.tensor = 2, .pipeline = 2, .experts = 8};
  CHECK(expert_copies_of(unfolded, cluster(8, 4)).ranks() ==
        copies_of(unfolded, cluster(8, 4)).ranks());
}

TEST_CASE("folded experts: each GPU sends its own tokens, and experts' sums are not made") {
  auto shape = model_shape(make_network("mixtral-8x7b", 2048));
  shape.parameters = shape.expert_parameters = 0;  // nothing to average
  const auto law = bytes_alone();
  const auto step = [&](const ModelParallel& way, const Cluster& ranks, bool recompute) {
    return model_parallel_step_seconds(law, ranks, way, shape, 1, 2, recompute, 1) - 1;
  };
  // Of two that share a layer each has half of a micro-batch's tokens. Of them seven eighths go
  // over its links to the other GPUs of the node, and back, in both passes.
  const double gather_s = shape.passed_elements * 2 / 2 / 100e9;
  const double sent_s = shape.routed_elements * 2 / 2 * (7.0 / 8) / 100e9;
  const ModelParallel way{.tensor = 2, .experts = 8, .expert_tensor = 1};
  CHECK(step(way, cluster(8, 1), false) == test::approx(32 * 4 * (gather_s + sent_s)));
  CHECK(step(way, cluster(8, 1), true) == test::approx(32 * 6 * (gather_s + sent_s)));
  // Shared by both, four copies send theirs over the links of two, and all is summed up twice.
  const double shared_s = shape.routed_elements * 2 * (3.0 / 4) / 200e9;
  CHECK(step({.tensor = 2, .experts = 4}, cluster(8, 1), false) ==
        test::approx(32 * 4 * (2 * gather_s + shared_s)));
  // Over two nodes: both experts of a token are on its own one in a quarter of all cases. The line
  // carries what eight GPUs send.
  const double line_s = 8 * (shape.routed_elements * 2 / 2) / 2 * (1 - 0.25) / 40e9;
  const ModelParallel wide{.tensor = 2, .experts = 16, .expert_tensor = 1};
  CHECK(step(wide, cluster(8, 2), false) == test::approx(32 * 4 * (gather_s + line_s)));
}

TEST_CASE("folded experts: their gradients are averaged among those that have the same") {
  auto shape = model_shape(make_network("mixtral-8x7b", 2048));
  shape.routed_elements = shape.passed_elements = 0;
  shape.parameters = shape.expert_parameters;  // nothing beside
  auto law = bytes_alone();
  law.hidden_cost = 1;  // all that is exchanged shows
  const auto averaged_s = [&](const ModelParallel& way) {
    return model_parallel_step_seconds(law, cluster(8, 2), way, shape, 1, 2, false, 1) - 1;
  };
  // An eighth of all each, with the same on the other node: its line carries those of all eight.
  const double bytes = 2 * shape.expert_parameters;
  CHECK(averaged_s({.tensor = 2, .experts = 8, .expert_tensor = 1}) ==
        test::approx(bytes / 40e9).epsilon(0.01));
  CHECK(averaged_s({.tensor = 2, .experts = 16, .expert_tensor = 1}) == test::approx(0));
}

TEST_CASE("folded experts: whole matrices for fewer tokens, and as much work") {
  const auto network = make_network("mixtral-8x7b", 2048);
  const auto shared = gpu_work(network, Phase::train, false, 4, 2);
  const auto folded = gpu_work(network, Phase::train, false, 4, 8, 1, 1);
  CHECK(flops(folded) == test::approx(flops(shared)));
  const auto widest = [](const GpuWork& work) {
    double columns = 0;
    for (const auto& kernel : work.kernels) {
      columns = kernel.before_head ? std::max(columns, kernel.columns) : columns;
    }
    return columns;
  };
  CHECK(widest(folded) == 2 * 14336);
  CHECK(widest(shared) == 2 * 14336 / 4);
}

TEST_CASE("folded experts: frozen ones lie on GPUs that train adapters, too") {
  Tuning attention;
  attention.adapters = parse_adapters("lora:16:q_proj+o_proj").value();
  const auto network = tuned(make_network("mixtral-8x7b", 2048), attention);
  const auto held = [&](const ModelParallel& way) {
    return gpu_memory_need(network,
                           Phase::train,
                           Precision::bf16,
                           2,
                           {.shards = 8 / way.parts(), .recompute = true, .parallel = way})
        .parameters_bytes;
  };
  const double frozen = 2 * 46.7e9;
  CHECK(held({.tensor = 2}) == test::approx(frozen / 2).epsilon(0.01));
  CHECK(held({.tensor = 2, .experts = 8, .expert_tensor = 1}) ==
        test::approx(2 * (1.6e9 / 2 + 45.1e9 / 8)).epsilon(0.01));
}
