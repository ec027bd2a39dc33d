#include "models/laws/framework_habits.h"

#include <algorithm>
#include <array>

#include "models/laws/gpu_step_constants.h"

namespace rightsize {
namespace {

constexpr std::array<Habits, 15> habits_of_frameworks{
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
     {"AITemplate", dispatch_engine, passes_engine, true, true},
     {.framework = ctranslate2,
      .dispatch = dispatch_engine,
      .passes = passes_engine,
      .fused_attention = true,
      .own_kernels = true,
      .narrow_products = true}}};

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

// Set by hand to encoder_decoders.csv at one item a batch. PyTorch layer by layer: Whisper medium
// and large-v2 on A100 and RTX 3090, T5 small and 3B on RTX 3090 (transformers of 2022 to 2024; the
// hosts of V100 and T4 of 2020, and beam search, took twice to three times that). CTranslate2:
// Whisper small to large-v3 on an RTX 5090, whose rates are those of an RTX 4090 and an A30. ONNX
// Runtime: T5 small and 3B. Engines and compiled code that replay a graph of launches wait for
// nothing.
WritingHost writing_host(std::string_view framework) {
  constexpr WritingHost eager{3e-3, 0.6e-3};
  if (framework.empty()) {
    return {eager.token_s / 2, eager.block_s / 2};
  }
  const auto* habits = habits_of(framework);
  if (habits == nullptr || habits->dispatch == eagerly) {
    return eager;
  }
  if (habits->framework == ctranslate2) {
    return {3e-3, 0.4e-3};
  }
  const bool plain = habits->dispatch == by_graph || habits->framework == "ONNX Runtime";
  return plain ? WritingHost{1e-3, 0.3e-3} : WritingHost{};
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
         (habits->framework == "TensorRT" || habits->framework == "FasterTransformer" ||
          habits->framework == ctranslate2);
}

}  // namespace rightsize
