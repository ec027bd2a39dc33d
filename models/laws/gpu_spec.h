// What a GPU is on paper: the rows of calibration/gpus.csv. One die of K80 and M60, as clouds sell
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/workload.h"

namespace rightsize {

// 0 = not published, or the unit does not exist.
struct GpuSpec {
  std::string name;  // the canonical name: "A100-80GB"
  std::string arch;
  double cores = 0;  // FP32 lanes
  double fp32_tflops = 0;
  double tf32_tflops = 0;
  double fp16_tflops = 0;  // tensor cores, dense; GP100 has none and twice its FP32 rate
  double memory_gb = 0;
  double bandwidth_gbs = 0;
  double tdp_w = 0;
  double link_gbs = 0;          // NVLink or Infinity Fabric, all links, both directions
  bool stacked_memory = false;  // HBM; else GDDR
  std::string source;
};

// Throws ModelError with the line number of a malformed row.
[[nodiscard]] std::vector<GpuSpec> parse_gpus(std::string_view csv);

// "Ampere 6912 hbm": those of as many lanes of one generation beside the same kind of memory are
// taken to be one die, on cards that differ in memory and power (A100 and A100-80GB, V100 and
// V100-PCIe, H100 and H200). Near of kin alone are K20 (GK110) and K80 (GK210), RTX-2070 (TU106)
// and RTX-4000 (TU104), B200 and B300 (Blackwell Ultra).
[[nodiscard]] std::string die_of(const GpuSpec& gpu);

// AMD's: ROCm instead of CUDA, and what is built on it.
[[nodiscard]] bool is_instinct(const GpuSpec& gpu);

// Tensor cores, or what AMD calls matrix cores.
[[nodiscard]] bool has_tensor_cores(const GpuSpec& gpu);

// Ampere and what came after it, AMD's CDNA too. CUDA 11, of 2020, was the first with code for
// them: the libraries of 2015 to 2018 (Stack::era) never ran there.
[[nodiscard]] bool is_ampere_or_later(const GpuSpec& gpu);

// Tensor cores for numbers in 8 bits: Ada's, Hopper's, CDNA3's and what came after.
[[nodiscard]] bool multiplies_fp8(const GpuSpec& gpu);

// And in 4 bits of a float: Blackwell's and CDNA4's.
[[nodiscard]] bool multiplies_fp4(const GpuSpec& gpu);

// The precision a GPU really offers when `wanted` is asked: tf32 and bf16 came with Ampere, fp16
// with GP100 and Volta, fp8 with Ada and Hopper; without it bf16. AMD's have no tf32 that
// frameworks use.
[[nodiscard]] Precision available_precision(const GpuSpec& gpu, Precision wanted);

// Peak rate of matrix products, TFLOP/s; `gpu` has the precision (available_precision). Of fp8, in
// which some products alone are narrower, that of the others.
[[nodiscard]] double peak_tflops(const GpuSpec& gpu, Precision precision);

}  // namespace rightsize
