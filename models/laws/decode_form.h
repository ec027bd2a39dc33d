// How a language model's numbers are held while it writes: its weights in the job's own precision
// or narrower, and its caches. Narrow weights are read and held narrow and widened on the way into
// the products (weight-only), but for FP8 and FP4 on a GPU that multiplies them.
#pragma once

#include <optional>
#include <string_view>

#include "kernels/workload.h"
#include "models/laws/gpu_spec.h"

namespace rightsize {

// own: the precision's. nvfp4 and mxfp4: floats of 4 bits.
enum class WeightFormat { own, fp8, int8, int4, nvfp4, mxfp4 };

struct DecodeForm {
  Precision precision = Precision::bf16;
  WeightFormat weights = WeightFormat::own;
  bool fp8_caches = false;  // of keys and values; else the precision's
  bool q8_caches = false;   // where those are q8_0's instead: 32 share a scale of 16 bits
};

// Of a matrix's element. int4: 4 bits, and scales of its groups (half a bit: groups of 32 to 128
// share 16 or 32 bits of them). Of nvfp4 16 numbers share 8 bits, of mxfp4 32 do.
[[nodiscard]] double weight_bytes(const DecodeForm& form);
[[nodiscard]] double cache_bytes(const DecodeForm& form);

[[nodiscard]] constexpr bool is_fp4(WeightFormat format) {
  return format == WeightFormat::nvfp4 || format == WeightFormat::mxfp4;
}

// Whether products run at FP8's rate, twice that of 16 bits, or at FP4's, four times that. NVFP4 is
// NVIDIA's alone.
[[nodiscard]] bool multiplies_fp8(const DecodeForm& form, const GpuSpec& gpu);
[[nodiscard]] bool multiplies_fp4(const DecodeForm& form, const GpuSpec& gpu);

// Whether the cores widen the weights on their way into the products.
[[nodiscard]] bool widens(const DecodeForm& form, const GpuSpec& gpu);

// Whether a program is known that holds FP8 weights on such a GPU at all: vLLM widens them from
// Turing on (compute capability 7.5; docs.vllm.ai, "FP8 W8A8", v0.32), on AMD's GPUs it multiplies
// them or none ("Quantization", v0.11.2).
[[nodiscard]] bool can_widen_fp8(const GpuSpec& gpu);

// The same of FP4: from Ampere on by vLLM's Marlin (docs.vllm.ai, "Quantization"), on AMD's MXFP4
// from CDNA3 on.
[[nodiscard]] bool can_widen_fp4(WeightFormat format, const GpuSpec& gpu);

[[nodiscard]] std::string_view to_string(WeightFormat format);  // "own", "fp8", "int8", "int4"...
// "fp4" is nvfp4. nullopt when the word is not known.
[[nodiscard]] std::optional<WeightFormat> parse_weight_format(std::string_view text);

}  // namespace rightsize
