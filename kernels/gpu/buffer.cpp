#include "kernels/gpu/buffer.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/gibibyte.h"

namespace rightsize::gpu {
namespace {

double mib(std::size_t bytes) {
  return static_cast<double>(bytes) / bytes_per_mib;
}

void* allocate(std::size_t bytes) {
  void* data = nullptr;
  const auto status = cudaMalloc(&data, std::max<std::size_t>(bytes, 1));
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    throw GpuError(abi::Status::out_of_memory,
                   fmt::format("needs {:.0f} MiB at once, the device has {:.0f} of {:.0f} MiB "
                               "free; use a smaller batch",
                               mib(bytes),
                               mib(free),
                               mib(total)));
  }
  check(status);
  return data;
}

}  // namespace

void MemoryBudget::take(std::size_t bytes) {
  if (limit_ != 0 && used_ + bytes > limit_) {
    throw GpuError(abi::Status::out_of_memory,
                   fmt::format("needs {:.0f} MiB, the limit set for this engine is {:.0f} MiB; use "
                               "a smaller batch or raise the limit",
                               mib(used_ + bytes),
                               mib(limit_)));
  }
  used_ += bytes;
}

DeviceBuffer::DeviceBuffer(std::size_t bytes) : data_(allocate(bytes)), bytes_(bytes) {}

DeviceBuffer::DeviceBuffer(MemoryBudget& budget, std::size_t bytes) : bytes_(bytes) {
  budget.take(bytes);
  data_.reset(allocate(bytes));
}

PinnedBuffer::PinnedBuffer(std::size_t bytes) {
  void* data = nullptr;
  check(cudaMallocHost(&data, std::max<std::size_t>(bytes, 1)));
  data_.reset(data);
}

}  // namespace rightsize::gpu
