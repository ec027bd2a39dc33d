// Memory that frees itself: on the device, and page-locked on the host for asynchronous copies.
#pragma once

#include <cstddef>
#include <memory>

#include <cuda_runtime_api.h>

#include "kernels/gpu/check.h"

namespace rightsize::gpu {

// Counts what this engine takes from the device, against a cap of its own.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t limit) : limit_(limit) {}  // 0: no cap

  void take(std::size_t bytes);  // throws GpuError (out_of_memory), taking nothing
  [[nodiscard]] std::size_t used() const { return used_; }

 private:
  std::size_t limit_;
  std::size_t used_ = 0;
};

class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t bytes);
  DeviceBuffer(MemoryBudget& budget, std::size_t bytes);

  [[nodiscard]] void* data() const { return data_.get(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  template <typename Value>
  [[nodiscard]] Value* as() const {
    return static_cast<Value*>(data_.get());
  }

 private:
  struct Free {
    void operator()(void* data) const { static_cast<void>(cudaFree(data)); }
  };
  std::unique_ptr<void, Free> data_;
  std::size_t bytes_ = 0;
};

class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::size_t bytes);

  template <typename Value>
  [[nodiscard]] Value* as() const {
    return static_cast<Value*>(data_.get());
  }

 private:
  struct Free {
    void operator()(void* data) const { static_cast<void>(cudaFreeHost(data)); }
  };
  std::unique_ptr<void, Free> data_;
};

}  // namespace rightsize::gpu
