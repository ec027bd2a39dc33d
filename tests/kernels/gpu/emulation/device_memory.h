// Memory as a kernel sees it: filled with NaN, and fenced. The end lies before a page that cannot
// be touched, so that what reads or writes beyond it faults; bytes before the start are checked.
#pragma once

#include <cstddef>

namespace rightsize::emulation {

class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&&) = delete;

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Throws EmulationError where a byte around it has changed.
  void check() const;

 private:
  std::byte* pages_ = nullptr;  // the whole mapping, the forbidden page at its end included
  std::size_t mapped_ = 0;
  std::byte* data_ = nullptr;  // a multiple of `alignment`
  std::size_t bytes_ = 0;
};

}  // namespace rightsize::emulation
