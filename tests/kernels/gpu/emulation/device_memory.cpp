#include "kernels/gpu/emulation/device_memory.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "kernels/gpu/emulation/error.h"

namespace rightsize::emulation {
namespace {

constexpr std::size_t alignment = 16;  // of our widest loads; cudaMalloc and the arena give more
constexpr std::byte fence{0xa5};
constexpr std::byte not_a_number{0xff};

std::size_t round_up(std::size_t bytes, std::size_t step) {
  return (bytes + step - 1) / step * step;
}

}  // namespace

DeviceMemory::DeviceMemory(std::size_t bytes) : bytes_(bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  mapped_ = round_up(bytes + alignment, page) + page;
  void* const at =
      mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category(), "mmap of emulated device memory");
  }
  pages_ = static_cast<std::byte*>(at);
  std::byte* const end = pages_ + mapped_ - page;
  mprotect(end, page, PROT_NONE);
  data_ = end - round_up(bytes, alignment);
  std::fill(pages_, end, fence);
  std::fill_n(data_, bytes, not_a_number);
}

DeviceMemory::~DeviceMemory() {
  if (pages_ != nullptr) {
    munmap(pages_, mapped_);
  }
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)),
      mapped_(other.mapped_),
      data_(other.data_),
      bytes_(other.bytes_) {}

void DeviceMemory::check() const {
  const auto untouched = [](std::byte b) { return b == fence; };
  if (!std::all_of(pages_, data_, untouched)) {
    throw EmulationError("a kernel wrote before the start of its memory");
  }
  if (!std::all_of(data_ + bytes_, data_ + round_up(bytes_, alignment), untouched)) {
    throw EmulationError("a kernel wrote beyond the end of its memory");
  }
}

}  // namespace rightsize::emulation
