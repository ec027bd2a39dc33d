// Replicas of a language model to hold laws of waiting against.
#pragma once

#include "kernels/network.h"
#include "models/calibration_files.h"
#include "models/laws/decode_latency.h"

namespace rightsize::test {

// 8 billion parameters at 16 bits.
inline constexpr DecodeWork work{.weight_bytes = 16e9,
                                 .kv_bytes_per_token = 128e3,
                                 .flops_per_token = 16e9,
                                 .prompt_flops = 8.2e12};
// Something like an A100, and like an L40S.
inline const DecodeGpu a100{
    .bytes_per_s = 1.5e12, .flops_per_s = 150e12, .memory_bytes = 80e9, .overhead_s = 1e-3};
inline const DecodeGpu l40s{
    .bytes_per_s = 0.6e12, .flops_per_s = 235e12, .memory_bytes = 47e9, .overhead_s = 1e-3};

inline DecodeReplicas replica_of(const char* network, const char* gpu, const DecodeLoad& lengths) {
  static const auto rates = shipped_rates();
  return {decode_work(make_network(network), {Precision::bf16}, lengths),
          decode_gpu(*rates.find(gpu), {Precision::bf16})};
}

}  // namespace rightsize::test
