// A run of a network the user brings.
#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "profiler/measure/synthetic_batch.h"
#include "profiler/measure/task.h"
#include "support/approx.h"

using namespace rightsize;

TEST_CASE("task: a network from a file runs with the file's weights") {
  RunSpec spec;
  spec.workload.network = std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/onnx/Linear/model.onnx";
  spec.workload.phase = Phase::infer;
  spec.workload.batch = 4;
  spec.seed = 3;
  const auto seen = make_task(spec)->step();
  CHECK(seen.items == 4);

  const auto trained = make_trained_network(spec.workload.network);
  SyntheticBatch batch(trained.network, spec.workload, spec.seed);
  cpu::CpuEngine engine(trained.network, {.phase = Phase::infer, .batch = 4, .seed = 3});
  const auto noise = *engine.step(batch.view()).loss;
  engine.load_parameters(trained.parameters);
  const auto expected = *engine.step(batch.view()).loss;
  CHECK(*seen.result.loss == test::approx(expected));
  CHECK(*seen.result.loss != test::approx(noise));
}

TEST_CASE("task: a run says what its network reads, and which kernel its attention is") {
  RunSpec spec;
  spec.workload.network = std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/onnx/gpt2/model.onnx";
  spec.workload.phase = Phase::infer;
  spec.workload.batch = 2;
  const auto language = make_task(spec)->info().software;
  CHECK(language.at("input") == "tokens");
  CHECK(language.at("attention") == "fused (own)");
  spec.workload.phase = Phase::decode;
  CHECK(make_task(spec)->info().software.at("attention") == "cached (own)");
  spec.workload.phase = Phase::infer;
  spec.workload.network = "mnist-mlp";
  const auto pictures = make_task(spec)->info().software;
  CHECK(pictures.at("input") == "images");
  CHECK(pictures.count("attention") == 0);
}
