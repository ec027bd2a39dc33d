// Which CPU is asked about: clock, vector width and hardware threads, from the words people use:
// a model name ("Intel(R) Xeon(R) E5-2686 v4 @ 2.30GHz", "AMD EPYC 7R13"), a generation
// ("Skylake"), or, through CpuSpeeds, an EC2 type ("c5.18xlarge").
//
// FP32 operations per core and cycle (a multiply-add is two): 8 for SSE, 16 for AVX without FMA
// (Sandy and Ivy Bridge) and for 128-bit FMA (Zen 1, Neoverse N1), 32 for AVX2 with two FMA units,
// 64 for AVX-512 with two. "Skylake sse" is a program built for SSE on that CPU. Source: the
// vendors' optimisation manuals; uops.info. In BF16 a core does `bf16_speed` times as many, where
// it has units for that: twice by AVX-512 BF16, four times by Arm's BFMMLA, sixteen by AMX.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rightsize {

enum class Stack;  // gpu_step.h

inline constexpr double avx512_bf16_speed = 2;
inline constexpr double bfmmla_speed = 4;
inline constexpr double amx_speed = 16;

struct CpuKind {
  std::string name;
  double ghz = 0;              // as sold
  double flops_per_cycle = 0;  // FP32, one core
  double threads_per_core = 2;
  double bf16_speed = 0;  // 0: no units for it, or a program built for none
  bool assumed = false;   // the words did not say; the usual server CPU
  // What all cores sustain with their widest vectors, over flops_per_cycle at the clock as sold.
  double sustains = 1;
};

// nullopt when no generation is recognised in `words`.
[[nodiscard]] std::optional<CpuKind> cpu_kind_of(std::string_view words);

// What stands in for a CPU that was not stated: AVX2 at 2.5 GHz, the usual host of 2015-2018, or
// AVX-512 at 2.8 GHz.
[[nodiscard]] CpuKind usual_cpu_kind(Stack stack);

}  // namespace rightsize
