// What rates of training with shared layers are made of where laws meet: the optimizer's work is
// done once a step, by all copies together.
#include <doctest/doctest.h>

#include "advisor/calibration.h"
#include "advisor/candidate/accelerator.h"
#include "kernels/work.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

struct Seen {
  double optimizer_s = 0;  // of a step
  int micro_batches = 0;
};

// Eight GPUs of each node share all layers of Llama 8B; so many sequences a GPU.
Seen optimizer_of(int nodes, int batch) {
  const auto rates = shipped_gpu_rates();
  const NetworkFacts facts("llama-8b", 1024);
  AcceleratorQuery query;
  query.network = "llama-8b";
  query.sequence = 1024;
  query.precision = Precision::bf16;
  query.gpu = "H100";
  query.gpus_per_node = 8;
  query.nodes = nodes;
  query.batch = batch;
  query.tensor_parallel = 8;
  query.recompute = true;
  const auto rate = accelerator_rate(rates, facts, query);
  REQUIRE(rate.verdict == Verdict::ok);
  const auto& way = rate.way.parallel;
  // Of a GPU's part: with its share of the optimizer's work, and next to without.
  const double with_s = way.micro_batch / (rate.one_gpu_items_per_s * way.tensor);
  const auto without = rates.rate({.network = "llama-8b",
                                   .phase = Phase::train,
                                   .precision = Precision::bf16,
                                   .gpu = "H100",
                                   .batch = way.micro_batch,
                                   .sequence = 1024,
                                   .recompute = true,
                                   .tensor = 8,
                                   .shards = 1'000'000'000});
  REQUIRE(without);
  const int micro_batches = way.micro_batches(items_of_copy(query));
  return {micro_batches * (with_s - way.micro_batch / without->items_per_s), micro_batches};
}

}  // namespace

TEST_CASE("model parallel: the optimizer passes once a step over what a GPU has of it") {
  const auto one = optimizer_of(1, 4);
  // Adam in FP32: four values of a parameter read, three written; of an eighth of them, at
  // 3350 GB/s on paper.
  const double bytes = 28.0 * static_cast<double>(parameter_count(make_network("llama-8b"))) / 8;
  CHECK(bytes / one.optimizer_s / 3350e9 > 0.4);
  CHECK(bytes / one.optimizer_s / 3350e9 < 1.0);
  const auto more = optimizer_of(1, 16);
  CHECK(more.micro_batches > one.micro_batches);
  CHECK(more.optimizer_s == test::approx(one.optimizer_s).epsilon(0.05));
  // Two copies share it.
  CHECK(optimizer_of(2, 4).optimizer_s == test::approx(one.optimizer_s / 2).epsilon(0.05));
}
