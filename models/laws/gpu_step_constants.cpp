#include "models/laws/gpu_step_constants.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace rightsize {
namespace {

struct Descent {
  std::string_view arch;
  int parent;  // itself for the root
};

constexpr std::array<Descent, chips> descents{{{"Kepler", maxwell},
                                               {"Maxwell", maxwell},
                                               {"Pascal", maxwell},
                                               {"", pascal},
                                               {"Volta", gp100},
                                               {"Turing", volta},
                                               {"Ampere", volta},
                                               {"", turing},
                                               {"Ada", ampere_rtx},
                                               {"Hopper", ampere},
                                               {"Blackwell", hopper},
                                               {"", ada},
                                               {"CDNA2", ampere},
                                               {"CDNA3", ampere},
                                               {"CDNA4", ampere}}};

// Watts per FP32 lane of the chip's card that is held back least: what a low-power card of the same
// chip (T4, L4, P4) has less of, its clock lacks under load. Of K80, M40, GTX 1080, P100, V100,
// RTX 2080 Ti, A100, RTX 3090, RTX 4090, H100, B200, RTX 5090, MI210, MI325X and MI355X: TDP and
// lanes of gpus.csv.
constexpr std::array<double, chips> full_watts{0.060,
                                               0.081,
                                               0.070,
                                               0.070,
                                               0.0586,
                                               0.0575,
                                               0.0579,
                                               0.0333,
                                               0.0275,
                                               0.0414,
                                               0.0528,
                                               0.0264,
                                               0.0451,
                                               0.0514,
                                               0.0854};

// FP32 lanes of a multiprocessor: NVIDIA's and AMD's white papers of each architecture.
constexpr std::array<double, chips> lanes{
    192, 128, 128, 64, 64, 64, 64, 128, 128, 128, 128, 128, 64, 64, 64};

constexpr double step_sd = 0.15;
constexpr double memory_sd = 0.1;
constexpr double never = 1e-6;  // a constant that no figure of the fit is of: fixed at its prior

// Kepler: its 192 lanes wait for registers, SGEMM reaches 58 % (Lai & Seznec, CGO 2013), Maxwell's
// more than 90 %; and its boards hold their clock between base and boost by power alone, on a K80
// 5.6 and 8.7 TFLOPS apart, and have ECC inside the bandwidth. Memory: shares of the bandwidth
// reached by Jia et al., "Dissecting the NVIDIA Turing T4 GPU via microbenchmarking", 2019,
// table 3.1: 70 % on P100, 83 % on V100, 69 % on T4, 84 % on P4, 79 % on M60. GA10x: half of its
// lanes are shared with integers. CDNA2: set by hand to a GPT of 7B on a die of MI250 (1602
// tokens/s where its publisher's A100 made 3700, mosaicml/llm-foundry issue 1153); CDNA3 and CDNA4
// to calibration/programs_instinct.csv.
constexpr std::array constants{
    StepConstant{"fp32", -0.2, 0.3},
    StepConstant{"fp32 Kepler", -0.7, 0.15},
    StepConstant{"fp32 Maxwell", 0, never},
    StepConstant{"fp32 Pascal", 0, step_sd},
    StepConstant{"fp32 GP100", 0, step_sd},
    StepConstant{"fp32 Volta", 0, step_sd},
    StepConstant{"fp32 Turing", 0, step_sd},
    StepConstant{"fp32 Ampere", 0, step_sd},
    StepConstant{"fp32 Ampere RTX", -0.3, step_sd},
    StepConstant{"fp32 Ada", 0, step_sd},
    StepConstant{"fp32 Hopper", -0.2, step_sd},
    StepConstant{"fp32 Blackwell", 0, step_sd},
    StepConstant{"fp32 Blackwell RTX", 0, step_sd},
    StepConstant{"fp32 CDNA2", 0, never},
    StepConstant{"fp32 CDNA3", 0, never},
    StepConstant{"fp32 CDNA4", 0, never},
    StepConstant{"tensor", -0.4, 0.3},
    StepConstant{"tensor Kepler", 0, never},
    StepConstant{"tensor Maxwell", 0, never},
    StepConstant{"tensor Pascal", 0, never},
    StepConstant{"tensor GP100", 0.3, step_sd},
    StepConstant{"tensor Volta", 0, never},
    StepConstant{"tensor Turing", 0, step_sd},
    StepConstant{"tensor Ampere", 0, step_sd},
    StepConstant{"tensor Ampere RTX", 0, step_sd},
    StepConstant{"tensor Ada", 0, step_sd},
    StepConstant{"tensor Hopper", -0.1, step_sd},
    StepConstant{"tensor Blackwell", -0.1, step_sd},
    StepConstant{"tensor Blackwell RTX", 0, step_sd},
    StepConstant{"tensor CDNA2", -0.3, never},
    StepConstant{"tensor CDNA3", -0.15, never},
    StepConstant{"tensor CDNA4", 0, never},
    StepConstant{"memory", -0.3, 0.15},
    StepConstant{"memory Kepler", -0.25, memory_sd},
    StepConstant{"memory Maxwell", 0, never},
    StepConstant{"memory Pascal", 0.06, memory_sd},
    StepConstant{"memory GP100", -0.19, memory_sd},
    StepConstant{"memory Volta", 0.18, memory_sd},
    StepConstant{"memory Turing", -0.19, memory_sd},
    StepConstant{"memory Ampere", 0.07, memory_sd},
    StepConstant{"memory Ampere RTX", 0.2, memory_sd},
    StepConstant{"memory Ada", 0, memory_sd},
    StepConstant{"memory Hopper", 0, memory_sd},
    StepConstant{"memory Blackwell", 0, memory_sd},
    StepConstant{"memory Blackwell RTX", 0, memory_sd},
    StepConstant{"memory CDNA2", 0, never},
    StepConstant{"memory CDNA3", 0, never},
    StepConstant{"memory CDNA4", 0, never},
    StepConstant{"tf32", 0, 0.2},
    StepConstant{"full rate", -0.3, 0.2},
    StepConstant{"dense", 0.2, 0.2},
    StepConstant{"half inner", 4.2, 0.5},
    StepConstant{"half columns", 2.8, 0.5},
    StepConstant{"half inner tensor", 4.5, 0.5},
    StepConstant{"half columns tensor", 3.6, 0.5},
    StepConstant{"fill", 4.7, 0.5},
    StepConstant{"fill tensor", 5.4, 0.5},
    StepConstant{"filter gradient", -0.3, 0.2},
    StepConstant{"winograd", 0.4, 0.2},
    StepConstant{"fourier", 0.6, 0.2},
    StepConstant{"tiled filter", 0.3, 0.2},
    StepConstant{"direct", -1.5, 0.5},
    StepConstant{"oblong", -0.2, 0.2},
    StepConstant{"scores", 1.1, 0.5},
    StepConstant{"power", -1.0, 0.4},
    StepConstant{"latency", -12.6, 0.15},  // 3.4 us from kernel to kernel; more is the host's work
    StepConstant{"dispatch era", -11, 0.5},
    StepConstant{"dispatch current", -11, 0.5},
    StepConstant{"dispatch eager", -10, 0.5},
    StepConstant{"dispatch XLA", 0, 0.4},
    StepConstant{"dispatch MxNet", 0, 0.4},
    StepConstant{"dispatch PaddlePaddle", 0.3, 0.4},
    StepConstant{"dispatch compile", 0, 0.4},
    StepConstant{"dispatch engine", -1.5, 0.5},
    StepConstant{"passes XLA", -0.3, 0.3},
    StepConstant{"passes MxNet", -0.3, 0.3},
    StepConstant{"passes compile", -0.5, 0.3},
    StepConstant{"passes engine", -1.2, 0.4},
    StepConstant{"engine kernels", 0.2, 0.15},
    StepConstant{"engine latency", -0.5, 0.5},
    StepConstant{"eager casts", 0.25, 0.2},
    StepConstant{"updates", 0.7, 0.5},
    StepConstant{"era compute", -0.1, 0.15},
    StepConstant{"era tensor", -0.2, 0.15},
    StepConstant{"era memory", -0.2, 0.15},
    StepConstant{"fused attention", -0.708, 0.01},  // by sharded trainings, few of which are here
    StepConstant{"fused Hopper", -0.6, 0.3},
    StepConstant{"fused second", 0.65, 0.01},  // by trainings of 8k and 32k tokens, see sharded.csv
    StepConstant{"language products", 0.12, 0.05},
    StepConstant{"large filter", 16.5, 1},
};
static_assert(constants.size() == constant_count);

// The steps from the root to `chip` and the base under them.
double inherited(std::span<const double> values, int base, int step, int root, int chip) {
  double sum = values[static_cast<std::size_t>(base)];
  while (chip != root) {
    sum += values[static_cast<std::size_t>(step + chip)];
    const int parent = descents[static_cast<std::size_t>(chip)].parent;
    if (parent == chip) {
      break;
    }
    chip = parent;
  }
  return sum;
}

}  // namespace

std::span<const StepConstant> step_constants() {
  return constants;
}

Chip chip_of(const GpuSpec& gpu) {
  if (gpu.arch == "Pascal") {
    return gpu.fp16_tflops > 0 ? gp100 : pascal;
  }
  if (gpu.arch == "Ampere") {
    const double ratio = gpu.fp16_tflops / gpu.fp32_tflops;  // GA100: 16, GA10x: 2 to 4
    return ratio < 8 ? ampere_rtx : ampere;
  }
  if (gpu.arch == "Blackwell") {
    return gpu.fp16_tflops < 8 * gpu.fp32_tflops ? blackwell_rtx : blackwell;
  }
  const auto found = std::find_if(
      descents.begin(), descents.end(), [&](const Descent& d) { return d.arch == gpu.arch; });
  return found == descents.end() ? blackwell : static_cast<Chip>(found - descents.begin());
}

bool has_full_rate(const GpuSpec& gpu) {
  const double ratio = gpu.fp32_tflops > 0 ? gpu.fp16_tflops / gpu.fp32_tflops : 0;
  switch (chip_of(gpu)) {
    case turing:
      return ratio > 6;  // 8; GeForce 4
    case ampere_rtx:
    case ada:
    case blackwell_rtx:
      return ratio > 3;  // 4; GeForce 2
    default:
      return false;  // no such pair of cards
  }
}

double multiprocessors(const GpuSpec& gpu) {
  return gpu.cores / lanes[static_cast<std::size_t>(chip_of(gpu))];
}

double power_share(const GpuSpec& gpu) {
  if (gpu.tdp_w <= 0 || gpu.cores <= 0) {
    return 1;
  }
  return std::min(1.0, gpu.tdp_w / gpu.cores / full_watts[static_cast<std::size_t>(chip_of(gpu))]);
}

double fp32_efficiency(std::span<const double> values, Chip chip) {
  return inherited(values, fp32_base, fp32_step, maxwell, chip);
}

double tensor_efficiency(std::span<const double> values, Chip chip) {
  return inherited(values, tensor_base, tensor_step, volta, chip);
}

double memory_efficiency(std::span<const double> values, Chip chip) {
  return inherited(values, memory_base, memory_step, maxwell, chip);
}

}  // namespace rightsize
