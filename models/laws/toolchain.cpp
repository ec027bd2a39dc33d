#include "models/laws/toolchain.h"

#include "models/laws/gpu_name.h"

namespace rightsize {

Toolchain toolchain_of(const GpuSpec& gpu) {
  return gpu.arch.starts_with("NeuronCore") ? Toolchain::neuron
         : gpu.arch.starts_with("TPU")      ? Toolchain::xla
         : is_instinct(gpu)                 ? Toolchain::rocm
                                            : Toolchain::cuda;
}

Toolchain toolchain_named(std::string_view canonical) {
  const bool neuron = canonical.starts_with("Inferentia") || canonical.starts_with("Trainium");
  return canonical.starts_with("TPU")  ? Toolchain::xla
         : neuron                      ? Toolchain::neuron
         : canonical.starts_with("MI") ? Toolchain::rocm
                                       : Toolchain::cuda;
}

const CompilerWords& compiler_words(Toolchain tools) {
  static constexpr CompilerWords none{};
  static constexpr CompilerWords neuron{
      "AWS Neuron", "PyTorch's models", "NeuronLink", "AWS's own accelerators"};
  static constexpr CompilerWords xla{"XLA", "MaxText's models (JAX)", "ICI", "Google's TPUs"};
  return tools == Toolchain::neuron ? neuron : tools == Toolchain::xla ? xla : none;
}

std::string_view accelerator_noun(Toolchain tools) {
  return tools == Toolchain::xla ? "chip" : "GPU";
}

Toolchain toolchain_of_any(std::string_view gpu) {
  return toolchain_named(canonical_gpu_name(gpu));
}

}  // namespace rightsize
