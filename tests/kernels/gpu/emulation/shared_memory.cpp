#include "kernels/gpu/emulation/shared_memory.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace rightsize::emulation {
namespace {

constexpr std::size_t fence_bytes = 256;  // on both sides; keeps operator new's alignment
constexpr std::byte fence{0xa5};
constexpr std::byte not_a_number{0xff};  // in every format of floats, and -1 in integers

bool intact(const std::byte* from) {
  return std::all_of(from, from + fence_bytes, [](std::byte b) { return b == fence; });
}

}  // namespace

SharedMemory::SharedMemory(std::size_t dynamic_bytes) : dynamic_(make(nullptr, 0, dynamic_bytes)) {}

SharedMemory::Variable SharedMemory::make(const void* identity, unsigned line, std::size_t bytes) {
  Variable variable{identity, line, bytes, nullptr};
  variable.fenced = std::make_unique<std::byte[]>(bytes + 2 * fence_bytes);
  std::byte* const begin = variable.fenced.get();
  std::fill_n(begin, bytes + 2 * fence_bytes, fence);
  std::fill_n(begin + fence_bytes, bytes, not_a_number);
  return variable;
}

void* SharedMemory::data(const Variable& variable) {
  return variable.fenced.get() + fence_bytes;
}

void* SharedMemory::variable(const void* identity, unsigned line, std::size_t bytes) {
  for (const auto& known : variables_) {
    if (known.identity == identity && known.line == line) {
      return data(known);
    }
  }
  variables_.push_back(make(identity, line, bytes));
  return data(variables_.back());
}

std::string SharedMemory::fault() const {
  std::size_t fixed = 0;
  for (const auto& variable : variables_) {
    fixed += variable.bytes;
    if (!intact(variable.fenced.get()) ||
        !intact(variable.fenced.get() + fence_bytes + variable.bytes)) {
      return fmt::format(
          "wrote beyond the shared variable of line {} ({} bytes)", variable.line, variable.bytes);
    }
  }
  if (!intact(dynamic_.fenced.get()) ||
      !intact(dynamic_.fenced.get() + fence_bytes + dynamic_.bytes)) {
    return fmt::format("wrote beyond its dynamic shared memory ({} bytes)", dynamic_.bytes);
  }
  if (fixed > plain_shared_bytes || fixed + dynamic_.bytes > most_shared_bytes) {
    return fmt::format(
        "has {} bytes of fixed and {} of dynamic shared memory; a GPU has room for "
        "{} of fixed and {} of both",
        fixed,
        dynamic_.bytes,
        plain_shared_bytes,
        most_shared_bytes);
  }
  return {};
}

}  // namespace rightsize::emulation
