// Which GPU a program gets first. CUDA_VISIBLE_DEVICES renumbers the GPUs for CUDA and not for the
// driver's management library (NVML), which lists all of them by their place on the PCI bus.
// After the CUDA C++ Programming Guide, "CUDA Environment Variables".
#pragma once

#include <optional>
#include <span>
#include <string>

namespace rightsize {

// One of NVML's list that this process may use: CUDA numbers only those.
struct GpuIdentity {
  unsigned index = 0;  // in the list of all
  std::string name;
  std::string uuid;  // "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6"
};

struct CudaEnvironment {
  std::optional<std::string> visible_devices;  // CUDA_VISIBLE_DEVICES; nullopt: all
  std::string device_order;                    // CUDA_DEVICE_ORDER; empty: the fastest first
};

[[nodiscard]] CudaEnvironment cuda_environment_here();

// NVML's index of the program's device 0. nullopt where there is none, where it is a part of one
// (MIG), whose counters NVML keeps elsewhere, and where GPUs of several kinds are numbered by
// CUDA's notion of their speed.
[[nodiscard]] std::optional<unsigned> first_visible_gpu(const CudaEnvironment& environment,
                                                        std::span<const GpuIdentity> gpus);

}  // namespace rightsize
