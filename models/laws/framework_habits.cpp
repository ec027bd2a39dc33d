#include "models/laws/framework_habits.h"

#include <algorithm>
#include <array>

#include "models/laws/gpu_step_constants.h"

namespace rightsize {
namespace {

constexpr std::array<Habits, 14> habits_of_frameworks{
    {{"TensorFlow XLA", dispatch_xla, passes_xla},
     {"JAX", dispatch_xla, passes_xla},
     {"MXNet (NVIDIA)", dispatch_mxnet, passes_mxnet},
     {"MXNet (MLPerf)", dispatch_mxnet, passes_mxnet},
     {"PaddlePaddle", dispatch_paddle, -1},
     {"PyTorch compile", dispatch_compile, passes_compile},
     {"PyTorch TorchScript", by_graph, -1},
     {"PyTorch (Mosaic)", eagerly, -1, true, false, true},
     {.framework = "PyTorch (NeMo)", .dispatch = eagerly, .passes = -1, .hopper_kernels = true},
     {.framework = "JAX (MaxText)",
      .dispatch = dispatch_xla,
      .passes = passes_xla,
      .hopper_kernels = true},
     {"ONNX Runtime", dispatch_engine, passes_engine},
     {"TensorRT", dispatch_engine, passes_engine, true, true},
     {"FasterTransformer", dispatch_engine, passes_engine, true, true},
     {"AITemplate", dispatch_engine, passes_engine, true, true}}};

const Habits* habits_named(std::string_view framework) {
  const auto* const found = std::find_if(
      habits_of_frameworks.begin(), habits_of_frameworks.end(), [&](const Habits& habits) {
        return habits.framework == framework;
      });
  return found == habits_of_frameworks.end() ? nullptr : found;
}

}  // namespace

const Habits* habits_of(std::string_view framework) {
  const auto* own = habits_named(framework);
  return own != nullptr ? own : habits_named(framework.substr(0, framework.find(" (")));
}

bool is_program(std::string_view framework) {
  return framework.find(" (") != std::string_view::npos && habits_named(framework) != nullptr;
}

bool is_engine(std::string_view framework) {
  const auto* habits = habits_of(framework);
  return habits != nullptr && habits->dispatch == dispatch_engine;
}

bool runs_by_cuda_alone(std::string_view framework) {
  const auto* habits = habits_of(framework);
  return habits != nullptr &&
         (habits->framework == "TensorRT" || habits->framework == "FasterTransformer");
}

}  // namespace rightsize
