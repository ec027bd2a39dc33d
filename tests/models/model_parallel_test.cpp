// Tensor and pipeline parallel training: closed forms of the papers, and what the law keeps.
#include "models/laws/model_parallel.h"

#include <vector>

#include <doctest/doctest.h>

#include "kernels/work.h"
#include "models/calibration_files.h"
#include "models/laws/gpu_kernels.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

Cluster eight_a100(const GpuRates& rates, int nodes = 1) {
  return {8, nodes, interconnect_of({}, *rates.find("A100-80GB"), 8, nodes)};
}

double flops(const GpuWork& work) {
  double sum = 0;
  for (const auto& kernel : work.kernels) {
    sum += kernel.count * kernel.flops_per_item;
  }
  return sum;
}

}  // namespace

// Narayanan et al., SC 2021, section 2.2: (p - 1) / m.
TEST_CASE("model parallel: the bubble is as the paper has it") {
  CHECK(bubble_share(4, 8) == test::approx(3.0 / 8));
  CHECK(bubble_share(1, 8) == 0);
  CHECK(bubble_share(4, 8, 5) == test::approx(3.0 / 40));  // interleaved: (p - 1) / (v m)
}

// Llama 3.1 405B: 126 blocks in 8 stages of 8 parts (NVIDIA's NeMo), two blocks each but the last.
TEST_CASE("model parallel: stages have parts of a block at least, of micro-batches by stages") {
  ModelShape shape;
  shape.blocks = 126;
  CHECK(may_interleave(shape, 8, 64, 8));
  CHECK_FALSE(may_interleave(shape, 8, 60, 8));
  CHECK_FALSE(may_interleave(shape, 8, 64, 16));
  CHECK(may_interleave(shape, 8, 60, 1));
  shape.blocks = 80;
  CHECK(possible_chunks(shape, 4, 64) == std::vector<int>{1, 2, 3, 4, 5, 7, 10, 20});
  CHECK(possible_chunks(shape, 4, 6) == std::vector<int>{1});
  CHECK(possible_chunks(shape, 1, 64) == std::vector<int>{1});
}

// Of 126 blocks in 16 stages the last has six where the head is as much work as one block or two,
// the others eight (Llama team, 2024); 80 in 16 stages are five each, and the head beside.
TEST_CASE("model parallel: where blocks do not divide evenly the head's stage has fewer") {
  ModelShape shape;
  shape.blocks = 126;
  shape.block_share = 126.0 / 128;  // a head of two blocks
  CHECK(slowest_stage(shape, 16, 1).blocks == 8);
  CHECK(slowest_stage(shape, 16, 1).share == test::approx(8.0 / 128));
  shape.blocks = 80;
  shape.block_share = 80.0 / 82;
  CHECK(slowest_stage(shape, 16, 1).blocks == 5);
  CHECK(slowest_stage(shape, 16, 1).share == test::approx(7.0 / 82));
  // 94 in eight stages of four parts: twelve each, and ten beside a head of 2.7.
  shape.blocks = 94;
  shape.block_share = 94 / 96.7;
  CHECK(slowest_stage(shape, 8, 4).share == test::approx(12.7 / 96.7));
  CHECK(slowest_stage(shape, 1, 1).share == 1);
}

TEST_CASE("model parallel: interleaved stages wait less, pass on more and hold more") {
  const auto network = make_network("llama-8b", 4096);
  auto shape = model_shape(network);
  shape.block_share = 1;
  ExchangeLaw law;
  law.coordination = law.step_jitter = 0;
  Interconnect links;
  links.link = NodeLink::nvlink;
  links.link_bytes_per_s = links.fabric_bytes_per_s = 1e18;
  const auto step = [&](int chunks) {
    return model_parallel_step_seconds(
        law, {4, 1, links}, {.pipeline = 4, .chunks = chunks}, shape, 8, 2, false, 0.4);
  };
  CHECK(step(1) == test::approx(1.1));
  CHECK(step(8) == test::approx(0.8 * (1 + 3.0 / 64)));
  links.link_bytes_per_s = 1e9;
  const double by_one = step(1) - 1.1;
  CHECK(step(8) - 0.8 * (1 + 3.0 / 64) > 5 * by_one);
  const auto held = [&](int chunks) {
    return gpu_memory_need(network,
                           Phase::train,
                           Precision::bf16,
                           64,
                           {1, true, {.pipeline = 4, .chunks = chunks}})
        .activations_bytes;
  };
  CHECK(held(8) == test::approx(held(1) * (1 + 3.0 / 32)));
}

TEST_CASE("model parallel: GPUs that share sequences divide work, activations and no parameter") {
  const auto network = make_network("llama-8b", 8192);
  const double all = flops(gpu_work(network, Phase::train));
  CHECK(4 * flops(gpu_work(network, Phase::train, false, 1, 1, 4)) == test::approx(all));
  const auto need = [&](int context) {
    return gpu_memory_need(
        network, Phase::train, Precision::bf16, 1, {8, true, {.tensor = 2, .context = context}});
  };
  CHECK(need(4).activations_bytes == test::approx(need(1).activations_bytes / 4));
  CHECK(need(4).parameters_bytes == test::approx(need(1).parameters_bytes));
  // Keys and values of 8 heads of 128 of every block, in both passes, and their gradients.
  auto shape = model_shape(network);
  CHECK(shape.attended_elements == 2.0 * 8 * 128 * 8192);
  shape.parameters = 0;  // nothing to average
  ExchangeLaw law;
  law.coordination = law.step_jitter = law.launch_s = 0;
  Interconnect links;
  links.link = NodeLink::nvlink;
  links.link_bytes_per_s = links.fabric_bytes_per_s = 1e9;
  const auto step = [&](const ModelParallel& way, bool recompute) {
    return model_parallel_step_seconds(law, {4, 1, links}, way, shape, 1, 2, recompute, 1);
  };
  const double passed_s = 2 * shape.attended_elements * shape.blocks * 3 / 4 / 1e9;
  const ModelParallel shared{.context = 4};
  CHECK(step(shared, false) - step({}, false) == test::approx(3 * passed_s));
  CHECK(step(shared, true) - step({}, true) == test::approx(4 * passed_s));
}

TEST_CASE("model parallel: a step is the turns of a stage, and the bubble shows in it") {
  const auto shape = model_shape(make_network("gpt2"));
  CHECK(shape.blocks == 12);
  CHECK(shape.heads == 12);
  CHECK(shape.passed_elements == 768.0 * 1024);
  auto even = shape;
  even.block_share = 1;  // no head: stages are equal
  ExchangeLaw law;
  law.coordination = law.step_jitter = 0;
  Interconnect instant;
  instant.link = NodeLink::nvlink;
  instant.link_bytes_per_s = instant.fabric_bytes_per_s = 1e18;
  const Cluster cluster{4, 1, instant};
  const auto step = [&](int pipeline, int micro_batches) {
    return model_parallel_step_seconds(
        law, cluster, {1, pipeline, 1}, even, micro_batches, 2, false, 0.4);
  };
  // 8 micro-batches, four stages of 0.1 s each: 11 turns.
  CHECK(step(4, 8) == test::approx(1.1));
  CHECK(step(4, 800) / 800 == test::approx(0.1).epsilon(0.01));
  CHECK(model_parallel_step_seconds(law, cluster, {1, 4, 1}, shape, 8, 2, false, 0.4) >
        step(4, 8));  // the last stage has the head as well
}

// Gradients leave behind the last micro-batch's backward pass: two thirds of its work, and three
// quarters where it runs all blocks again.
TEST_CASE("model parallel: a backward pass that runs blocks again hides more of the averaging") {
  ExchangeLaw law;
  law.coordination = law.step_jitter = law.hidden_cost = 0;
  Interconnect links;
  links.link = NodeLink::nvlink;
  links.link_bytes_per_s = links.fabric_bytes_per_s = 1e9;
  const Cluster cluster{4, 1, links};
  ModelShape shape;
  shape.blocks = 2;
  shape.parameters =
      2e9;  // two copies of two stages: 2e9 bytes a stage, far longer than it computes
  const auto step = [&](bool recompute, double block_share) {
    shape.block_share = block_share;
    return model_parallel_step_seconds(law, cluster, {1, 2, 1}, shape, 4, 2, recompute, 1.2);
  };
  CHECK(step(false, 1) - step(true, 1) == test::approx(0.6 * (3.0 / 4 - 2.0 / 3)));
  // A head of half the work, which is not run again, beside half the blocks: 0.9 s a turn.
  CHECK(step(false, 0.5) - step(true, 0.5) == test::approx(0.9 * (2.5 / 3.5 - 2.0 / 3)));
}

// Six copies of each of four stages on three nodes of eight: those of two stages lie on two nodes.
TEST_CASE("model parallel: gradients of copies on several nodes meet the network between them") {
  ExchangeLaw law;
  law.coordination = law.step_jitter = 0;
  Interconnect links;
  links.link = NodeLink::nvlink;
  links.link_bytes_per_s = 1e12;
  links.fabric_bytes_per_s = 1e8;
  ModelShape shape;
  shape.blocks = 4;
  shape.parameters = 4e9;
  const auto step = [&](int nodes) {
    const Cluster cluster{8, nodes, links};
    return model_parallel_step_seconds(law, cluster, {1, 4, 1}, shape, 4, 2, false, 1);
  };
  CHECK(step(2) == test::approx(step(4)).epsilon(0.05));  // all copies of a stage on one node
  CHECK(step(3) > 2 * step(4));
  CHECK(step(5) > 2 * step(4));
}

TEST_CASE("model parallel: GPUs that share a layer do its work together") {
  const auto network = make_network("llama-8b", 2048);
  const double all = flops(gpu_work(network, Phase::train));
  for (const int tensor : {2, 4, 8}) {
    CHECK(tensor * flops(gpu_work(network, Phase::train, false, tensor)) ==
          test::approx(all).epsilon(1e-9));
  }
}

TEST_CASE("model parallel: what divides and what does not") {
  const auto rates = test::shipped_rates();
  const auto shape = model_shape(make_network("llama-8b", 2048));
  CHECK(divides({8, 1}, shape, eight_a100(rates)));
  CHECK(divides({2, 4}, shape, eight_a100(rates)));
  CHECK(divides({8, 32}, shape, eight_a100(rates, 32)));
  CHECK_FALSE(divides({3, 1}, shape, eight_a100(rates)));
  CHECK_FALSE(divides({16, 1}, shape, eight_a100(rates, 2)));  // over two nodes
  CHECK_FALSE(divides({2, 8}, shape, eight_a100(rates)));      // 16 of 8 GPUs
  CHECK_FALSE(divides({1, 33}, shape, eight_a100(rates, 33)));
}

// StarCoder has 48 heads of queries and one of keys and values (Li et al., 2023: trained with
// tensor parallelism of 4 and 4 stages).
TEST_CASE("model parallel: GPUs repeat heads of keys and values of which there are too few") {
  const auto rates = test::shipped_rates();
  const auto network = make_network("starcoder", 8192);
  auto shape = model_shape(network);
  CHECK(shape.heads == 1);
  CHECK(divides({4, 4}, shape, eight_a100(rates, 2)));
  CHECK(divides({8, 1}, shape, eight_a100(rates)));
  shape.query_heads = 52;
  CHECK_FALSE(divides({8, 1}, shape, eight_a100(rates)));
  shape.query_heads = 48;

  const ExchangeLaw law;
  const auto step_s = [&](bool recompute) {
    return model_parallel_step_seconds(law, eight_a100(rates), {4, 1}, shape, 8, 2, recompute, 0.1);
  };
  const double repeated[] = {step_s(false), step_s(true)};
  shape.heads = 8;
  // Queries, keys and values of 50 heads of 128 features are gathered in each of 40 blocks and
  // eight micro-batches, their gradients scattered, and where blocks run again gathered once more.
  const auto cluster = eight_a100(rates);
  const Cluster four{4, 1, cluster.interconnect};
  const double gather_s = gather_seconds(law, four, 50.0 * 128 * 8192 * 2) - law.launch_s;
  const double each_s = 8 * 40 * gather_s * (1 + waiting_share(law, cluster));
  CHECK(repeated[0] - step_s(false) == test::approx(2 * each_s));
  CHECK(repeated[1] - step_s(true) == test::approx(3 * each_s));

  // Of memory a head's keys and values in place of a fourth of them: 40 blocks of 128 features.
  const auto activations = [](const Network& of, int tensor) {
    const MemoryWay way{.parallel = {tensor, 1}};
    return gpu_memory_need(of, Phase::train, Precision::bf16, 1, way).activations_bytes;
  };
  CHECK(activations(network, 4) - activations(network, 1) / 4 ==
        test::approx(40 * 2 * 128 * 8192 * 2 * 0.75));
}

// Korthikanti et al., MLSys 2023, section 4.1: 34 s b h bytes a layer beside the scores, of which
// dropout's two masks of a byte, absent here, are 2, and of which flash attention keeps no other.
TEST_CASE("model parallel: activations of a GPT block are those of the paper") {
  constexpr double s = 1024;
  constexpr double h = 768;
  constexpr double heads = 12;
  constexpr int layers = 12;
  const auto network = make_network("gpt2", 1024);
  const auto each = activation_elements_by_layer(network);
  double blocks = 0;
  for (std::size_t i = 0; i < each.size(); ++i) {
    blocks += network.layers[i].name.starts_with("block") ? static_cast<double>(each[i]) : 0;
  }
  CHECK(2 * (blocks - layers * heads * s) / layers == test::approx(32 * s * h).epsilon(0.03));
}

TEST_CASE("model parallel: memory of the first stage") {
  const auto network = make_network("llama-8b", 4096);
  const auto need = [&](const ModelParallel& way, int batch, int copies = 1) {
    return gpu_memory_need(network, Phase::train, Precision::bf16, batch, {copies, true, way});
  };
  const double parameters = static_cast<double>(parameter_count(network));
  CHECK(need({4, 2}, 1).parameters_bytes == test::approx(18 * parameters / 8));
  // ZeRO stage 1 over two copies: masters and moments by two, gradients and weights by none.
  CHECK(need({4, 2}, 1, 2).parameters_bytes == test::approx((6 + 12 / 2.0) * parameters / 8));
  const auto whole =
      gpu_memory_need(network, Phase::train, Precision::bf16, 1, MemoryWay{.recompute = true});
  // A pipeline that is full holds as many blocks' activations as one GPU with all of them.
  CHECK(need({1, 4}, 4).activations_bytes == test::approx(whole.activations_bytes));
  CHECK(need({8, 1}, 1).activations_bytes == test::approx(whole.activations_bytes / 8));
}

TEST_CASE("model parallel: slower links cost time where layers are shared, faster ones do not") {
  const auto rates = test::shipped_rates();
  const auto shape = model_shape(make_network("llama-8b", 4096));
  const ExchangeLaw law;
  const auto on = [&](const char* words) {
    const auto links = parse_interconnect(words).value();
    const Cluster cluster{8, 1, interconnect_of(links, *rates.find("A100-80GB"), 8, 1)};
    return model_parallel_step_seconds(law, cluster, {8, 1}, shape, 8, 2, false, 0.1);
  };
  CHECK(on("NVLink") > 0.8);
  CHECK(on("PCIe 4.0 x16") > 1.5 * on("NVLink"));
}
