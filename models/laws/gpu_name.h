// The name of calibration/gpus.csv for what drivers, clouds and people call a GPU.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rightsize {

// "NVIDIA H100 80GB HBM3" -> "H100", "Tesla V100-SXM2-16GB" -> "V100", "1080 Ti" -> "GTX-1080-Ti";
// an unknown name comes back as it is, without "NVIDIA", "Tesla", "AMD", a slice ("A100 MIG
// 1g.10gb") as it is. Canonical names stay. Of a share's name ("l4/8", gpu_share.h) what stands
// before the stroke is read so.
[[nodiscard]] std::string canonical_gpu_name(std::string_view name);

// Whether a GPU of such a name is AMD's, programmed by ROCm instead of CUDA.
[[nodiscard]] bool runs_rocm(std::string_view gpu);

// The words of a known GPU's name that say nothing known: "x 4" of "T4 x 4", "" of "A100 80GB
// PCIe"; nullopt where the GPU is none that is known.
[[nodiscard]] std::optional<std::string> unread_in_gpu_name(std::string_view name);

// The memory that such a name states, in GiB: 32 of "Tesla V100-SXM2-32GB", a GPU sold with 16 too.
// Not of K80, M60 and MI250, boards of two GPUs whose names state the memory of both.
[[nodiscard]] std::optional<double> memory_in_gpu_name(std::string_view name);

}  // namespace rightsize
