// What training keeps of a parameter: the bytes that optimizers' authors count.
#include <array>
#include <string>

#include <doctest/doctest.h>

#include "kernels/adapter_work.h"
#include "kernels/network_blocks.h"
#include "kernels/tuning.h"
#include "kernels/work.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

double bytes_of(const TrainingState& state,
                Precision precision,
                Optimizer own = Optimizer::adam,
                Phase phase = Phase::train) {
  const auto bytes = state_bytes(state, own, phase, precision);
  return bytes.kept() + bytes.copy;
}

constexpr TrainingState narrow{OptimizerChoice::own, false};

}  // namespace

// Rajbhandari et al., SC 2020, section 3.1: 16 bytes of Adam with mixed precision, of which
// gradients are 2; ours are added up in FP32 and take 4 (PyTorch's autocast).
TEST_CASE("training state: bytes of a parameter") {
  CHECK(bytes_of({}, Precision::bf16) == 18);
  CHECK(bytes_of({}, Precision::fp32) == 16);
  CHECK(bytes_of({}, Precision::fp32, Optimizer::sgd) == 12);
  CHECK(bytes_of({}, Precision::tf32, Optimizer::adam, Phase::forward_backward) == 8);
  CHECK(bytes_of({OptimizerChoice::sgd}, Precision::fp32) == 12);
  CHECK(bytes_of({OptimizerChoice::adamw}, Precision::fp32, Optimizer::sgd) == 16);
  CHECK(bytes_of(narrow, Precision::bf16) == 8);
  CHECK(bytes_of({OptimizerChoice::adafactor, false}, Precision::bf16) == 4);
  CHECK(bytes_of({OptimizerChoice::sgd, false}, Precision::bf16) == 6);
  // Dettmers et al., section 2: 8 bytes of moments become 2; block by block, with its scale.
  CHECK(bytes_of({OptimizerChoice::adamw_8bit, false}, Precision::bf16) == test::approx(6.03125));
  CHECK(bytes_of({OptimizerChoice::adamw_8bit}, Precision::bf16) == test::approx(12.03125));
}

TEST_CASE("training state: what an update reads and writes of a parameter") {
  const auto updated = [](const TrainingState& state, Precision precision) {
    return state_bytes(state, Optimizer::adam, Phase::train, precision).updated;
  };
  CHECK(updated({}, Precision::bf16) == 28);  // FP32: four read, three written
  CHECK(updated({OptimizerChoice::sgd}, Precision::fp32) == 20);
  CHECK(updated(narrow, Precision::bf16) == 14);
  CHECK(updated({OptimizerChoice::adamw_8bit, false}, Precision::bf16) == test::approx(10.0625));
}

// torchtune's README (0031bfb0) trains Llama 3.1 8B in 37.4 GiB of an A6000: BF16 without masters,
// moments in 8 bits, and gradients given back layer by layer, which is not modelled.
TEST_CASE(
    "training state: of Llama 8B torchtune's lies between what is kept with and without "
    "gradients") {
  const auto network =
      tuned(make_network("llama-8b", 2048), {{}, {OptimizerChoice::adamw_8bit, false}});
  const auto state = state_bytes(network, Phase::train, Precision::bf16);
  const auto count = static_cast<double>(parameter_count(network));
  const auto all =
      static_cast<double>(parameter_memory_bytes(network, Phase::train, Precision::bf16));
  CHECK(all == test::approx(count * 6.03125));
  CHECK(all / 0x1p30 > 37.4);
  CHECK((all - count * state.gradient) / 0x1p30 < 37.4);
}

TEST_CASE("training state: shares and adapters follow it") {
  const auto usual = make_network("llama-160m");
  const auto lean = tuned(usual, {{}, narrow});
  const auto held = [](const Network& network) {
    return static_cast<double>(sharded_parameter_bytes(network, Phase::train, Precision::bf16, 8));
  };
  const auto count = static_cast<double>(parameter_count(usual));
  CHECK(held(usual) - held(lean) == test::approx(count * (16 - 8) / 8).epsilon(1e-6));
  const auto adapters = parse_adapters("lora:16").value();
  const auto wide_adapters = tuned(usual, {adapters, {}});
  const auto lean_adapters = tuned(usual, {adapters, narrow});
  const auto memory = [](const Network& network) {
    return static_cast<double>(parameter_memory_bytes(network, Phase::train, Precision::bf16));
  };
  double trained = 0;
  for (const auto each : trained_parameters(wide_adapters)) {
    trained += static_cast<double>(each);
  }
  CHECK(memory(wide_adapters) - memory(lean_adapters) ==
        test::approx(trained * (18 - 8)).epsilon(1e-6));
  CHECK(memory(tuned(usual, {{}, narrow})) == test::approx(count * 8));
  CHECK(parameter_memory_bytes(lean, Phase::infer, Precision::bf16) ==
        parameter_memory_bytes(usual, Phase::infer, Precision::bf16));
}
