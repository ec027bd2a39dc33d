// The MNIST networks learn digits they have not seen. Half a minute of training, hence labelled
// slow.
#include <span>
#include <string>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "support/bf16.h"
#include "support/digits.h"

using namespace rightsize;

namespace {

constexpr int batch_size = 32;
constexpr int training_items = batch_size * 300;
constexpr int test_items = batch_size * 32;

// The n-th batch of a set, as a view.
Batch batch_of(const test::TinyBatch& set, int n) {
  constexpr std::size_t size = 28 * 28;
  const std::span<const float> images(set.images);
  const std::span<const std::int32_t> labels(set.labels);
  const auto first = static_cast<std::size_t>(n) * batch_size;
  return {images.subspan(first * size, batch_size * size), labels.subspan(first, batch_size)};
}

double accuracy_after(const std::string& name, int epochs, float rate, Precision precision) {
  const auto network = make_network(name);
  EngineOptions options;
  options.batch = batch_size;
  options.precision = precision;
  options.learning_rate = rate;
  options.threads = 1;  // small steps: two threads on a busy machine would wait for each other
  cpu::CpuEngine trained(network, options);
  const auto training = test::digits(training_items, 1);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (int n = 0; n < training_items / batch_size; ++n) {
      trained.step(batch_of(training, n));
    }
  }
  options.phase = Phase::infer;
  cpu::CpuEngine inference(network, options);
  for (const auto& parameter : trained.parameter_names()) {
    inference.set_parameter(parameter, trained.parameter(parameter));
  }
  const auto unseen = test::digits(test_items, 2);
  int correct = 0;
  for (int n = 0; n < test_items / batch_size; ++n) {
    correct += inference.step(batch_of(unseen, n)).correct.value();
  }
  return static_cast<double>(correct) / test_items;
}

}  // namespace

TEST_CASE("cpu learning: the MNIST MLP reads more than 97 % of unseen digits") {
  CHECK(accuracy_after("mnist-mlp", 5, 0.02F, Precision::fp32) > 0.97);
}

TEST_CASE("cpu learning: the MNIST CNN reads more than 97 % of unseen digits") {
  CHECK(accuracy_after("mnist-cnn", 1, 0.02F, Precision::fp32) > 0.97);
}

TEST_CASE("cpu learning: the MNIST CNN learns as well in BF16") {
  if (!test::cpu_runs_bf16()) {
    MESSAGE("skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
    return;
  }
  CHECK(accuracy_after("mnist-cnn", 1, 0.02F, Precision::bf16) > 0.97);
}
