// The GPUs of this machine as the NVIDIA driver's management library sees them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "profiler/machine.h"

namespace rightsize {

// Opens libnvidia-ml.so.1 at run time: empty where there is no driver. Never throws.
[[nodiscard]] std::vector<Gpu> list_gpus();

// What the driver says of one GPU at this moment; nullopt what it does not say.
struct GpuReading {
  std::optional<double> busy;  // share of its last sampling period in which a kernel ran
  std::optional<std::uint64_t> memory_bytes;
  std::optional<double> watts;
};

// Watches the GPU that a program started here gets first (visible_gpu.h), and keeps the library
// open from reading to reading. Where there is no driver, or no telling which GPU, each reading is
// empty.
class GpuWatch {
 public:
  GpuWatch();
  GpuWatch(const GpuWatch&) = delete;
  GpuWatch& operator=(const GpuWatch&) = delete;
  ~GpuWatch();

  [[nodiscard]] GpuReading read() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rightsize
