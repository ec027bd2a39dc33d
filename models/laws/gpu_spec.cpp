#include "models/laws/gpu_spec.h"

#include <fmt/format.h>

#include "models/calibration_table.h"

namespace rightsize {

std::vector<GpuSpec> parse_gpus(std::string_view csv) {
  std::vector<GpuSpec> gpus;
  for (const auto& row : parse_table(csv, "calibration/gpus.csv")) {
    gpus.push_back({row.text("gpu"),
                    row.text("arch"),
                    row.number("cores"),
                    row.number("fp32_tflops"),
                    row.number("tf32_tflops"),
                    row.number("fp16_tflops"),
                    row.number("memory_gb"),
                    row.number("bandwidth_gbs"),
                    row.number("tdp_w"),
                    row.number("link_gbs"),
                    row.text("memory") == "hbm",
                    row.text("source")});
  }
  return gpus;
}

std::string die_of(const GpuSpec& gpu) {
  return fmt::format("{} {:g} {}", gpu.arch, gpu.cores, gpu.stacked_memory ? "hbm" : "gddr");
}

bool is_instinct(const GpuSpec& gpu) {
  return gpu.arch.starts_with("CDNA");
}

bool has_tensor_cores(const GpuSpec& gpu) {
  return gpu.arch != "Kepler" && gpu.arch != "Maxwell" && gpu.arch != "Pascal";
}

bool is_ampere_or_later(const GpuSpec& gpu) {
  return has_tensor_cores(gpu) && gpu.arch != "Volta" && gpu.arch != "Turing";
}

bool multiplies_fp8(const GpuSpec& gpu) {
  return gpu.arch == "Ada" || gpu.arch == "Hopper" || gpu.arch == "Blackwell" ||
         gpu.arch == "CDNA3" || gpu.arch == "CDNA4";
}

bool multiplies_fp4(const GpuSpec& gpu) {
  return gpu.arch == "Blackwell" || gpu.arch == "CDNA4";
}

Precision available_precision(const GpuSpec& gpu, Precision wanted) {
  if (!has_tensor_cores(gpu)) {
    const bool halves = gpu.fp16_tflops > 0 && wanted != Precision::tf32;
    return halves && wanted != Precision::fp32 ? Precision::fp16 : Precision::fp32;
  }
  const bool ampere_or_later = is_ampere_or_later(gpu);
  if (wanted == Precision::fp8 && !multiplies_fp8(gpu)) {
    wanted = Precision::bf16;
  }
  if (wanted == Precision::tf32 && (!ampere_or_later || is_instinct(gpu))) {
    return Precision::fp32;
  }
  if (wanted == Precision::bf16 && !ampere_or_later) {
    return Precision::fp16;
  }
  return wanted;
}

double peak_tflops(const GpuSpec& gpu, Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return gpu.fp32_tflops;
    case Precision::tf32:
      return gpu.tf32_tflops;
    case Precision::fp16:
    case Precision::bf16:
    case Precision::fp8:
      return gpu.fp16_tflops;
  }
  return 0;
}

}  // namespace rightsize
