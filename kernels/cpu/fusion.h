// Which layers disappear into the one before them. A ReLU or ReLU6 that alone reads a convolution,
// a linear layer, a normalisation or a sum becomes part of it; dropout vanishes at inference, and
// there a convolution takes in the batch normalisation and the residual sum that follow it. Other
// element-wise functions stay apart: inside a convolution oneDNN 2.6 takes longer for them, of
// MobileNetV3's a fifth of the step, than apart (bench_cpu_engine).
#pragma once

#include <span>
#include <vector>

#include "kernels/network.h"
#include "kernels/workload.h"

namespace rightsize::cpu {

struct Fusion {
  std::vector<int> value;   // layer -> the layer whose operation makes its output (often itself)
  std::vector<bool> relu;   // layer -> its operation ends in a ReLU
  std::vector<bool> relu6;  // layer -> and that ReLU stops at six
  std::vector<int> norm;    // convolution -> the batch normalisation it takes in, or -1
  std::vector<int> addend;  // convolution -> the layer whose output it adds and overwrites, or -1
};

// A sum or product whose second input holds one number for each channel (per_channel.cpp).
[[nodiscard]] bool is_per_channel(std::span<const Layer> layers, const Layer& layer);

// Whether oneDNN, on this CPU and below ONEDNN_MAX_CPU_ISA, has a fast convolution that takes in a
// normalisation and adds to what lies in its output. Without AVX-512 only its reference does, a
// hundred times slower.
[[nodiscard]] bool adds_after_norm();

// `keep_values`: no layer's output may be overwritten, so sums stay on their own.
[[nodiscard]] Fusion plan_fusion(const Network& network,
                                 Phase phase,
                                 bool keep_values = false,
                                 bool adds_after_norm = cpu::adds_after_norm());

}  // namespace rightsize::cpu
