// The one allocation of a CPU engine, and whether this machine (or cgroup) has room for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace rightsize::cpu {

// What this process can still take before something is killed: the lesser of the kernel's
// MemAvailable and what the memory cgroup (v1 or v2) leaves beside anonymous memory, as the page
// cache gives way. Linux overcommits, so malloc alone would never say no. `root` is put in front of
// every path, so that tests can hold a fake machine.
[[nodiscard]] std::uint64_t available_memory_bytes(const std::string& root = "");

class Arena {
 public:
  // Zeroed and touched by all OpenMP threads, so that step() meets no page fault.
  // Throws OutOfMemory when `bytes` exceeds available_memory_bytes().
  explicit Arena(std::size_t bytes);

  [[nodiscard]] std::byte* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t size_;
};

}  // namespace rightsize::cpu
