// How a language model's numbers are held while it writes: its weights in the job's own precision
// or narrower, and its caches. Narrow weights are read and held narrow and widened on the way into
// the products (weight-only), but for FP8 on a GPU that multiplies it: Ada, Hopper and Blackwell.
#pragma once

#include <optional>
#include <string_view>

#include "kernels/workload.h"
#include "models/laws/gpu_spec.h"

namespace rightsize {

enum class WeightFormat { own, fp8, int8, int4 };  // own: the precision's

struct DecodeForm {
  Precision precision = Precision::bf16;
  WeightFormat weights = WeightFormat::own;
  bool fp8_caches = false;  // of keys and values; else the precision's
};

// Of a matrix's element. int4: 4 bits, and scales of its groups (half a bit: groups of 32 to 128
// share 16 or 32 bits of them).
[[nodiscard]] double weight_bytes(const DecodeForm& form);
[[nodiscard]] double cache_bytes(const DecodeForm& form);

// Whether products run at FP8's rate, twice that of 16 bits.
[[nodiscard]] bool multiplies_fp8(const DecodeForm& form, const GpuSpec& gpu);

// Whether a program is known that holds FP8 weights on such a GPU at all: vLLM widens them from
// Turing on (compute capability 7.5; docs.vllm.ai, "FP8 W8A8", v0.32), on AMD's GPUs it multiplies
// them or none ("Quantization", v0.11.2).
[[nodiscard]] bool can_widen_fp8(const GpuSpec& gpu);

[[nodiscard]] std::string_view to_string(WeightFormat format);  // "own", "fp8", "int8", "int4"
// nullopt when the word is not known.
[[nodiscard]] std::optional<WeightFormat> parse_weight_format(std::string_view text);

}  // namespace rightsize
