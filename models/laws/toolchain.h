// Whose tools make the programs that an accelerator runs. CUDA's and ROCm's are kernels that the
// host launches one by one, and the laws of gpu_step.h are of those; others compile a network whole
// into one program, for one shape of a batch, and each has a law of its own (compiled_rate.h).
#pragma once

#include <string_view>

#include "models/laws/gpu_spec.h"

namespace rightsize {

enum class Toolchain {
  cuda,
  rocm,
  neuron,  // AWS's, for Inferentia2 and Trainium
  xla,     // Google's, for TPUs
};

[[nodiscard]] Toolchain toolchain_of(const GpuSpec& gpu);

// By a chip's canonical name, as offers have it; also of chips without a row.
[[nodiscard]] Toolchain toolchain_named(std::string_view canonical);

// By any name that canonical_gpu_name() knows.
[[nodiscard]] Toolchain toolchain_of_any(std::string_view gpu);

[[nodiscard]] inline bool compiles_whole(Toolchain tools) {
  return tools != Toolchain::cuda && tools != Toolchain::rocm;
}

[[nodiscard]] inline bool is_compiled_whole(const GpuSpec& gpu) {
  return compiles_whole(toolchain_of(gpu));
}

[[nodiscard]] inline bool runs_compiled_whole(std::string_view gpu) {
  return compiles_whole(toolchain_of_any(gpu));
}

// What is said of one that compiles whole; of others empty.
struct CompilerWords {
  std::string_view name;    // "AWS Neuron"
  std::string_view takes;   // whose models it compiles
  std::string_view link;    // between the chips of a machine
  std::string_view makers;  // "AWS's own accelerators"
};
[[nodiscard]] const CompilerWords& compiler_words(Toolchain tools);

// What an answer calls one of them: a "chip" of TPUs, else a "GPU".
[[nodiscard]] std::string_view accelerator_noun(Toolchain tools);

// Whether what was measured on one says something of the other: it does among all GPUs.
[[nodiscard]] inline bool speaks_of(const GpuSpec& measured, const GpuSpec& asked) {
  return toolchain_of(measured) == toolchain_of(asked) ||
         !(is_compiled_whole(measured) || is_compiled_whole(asked));
}

// Whether what runs on one runs on the other.
[[nodiscard]] inline bool of_one_maker(const GpuSpec& a, const GpuSpec& b) {
  return toolchain_of(a) == toolchain_of(b);
}

}  // namespace rightsize
