// Collects the steps of a network and the buffers they touch; `plan` then lets buffers whose
// lifetimes do not meet share bytes of one arena. Free of CUDA, so that tests can look at the plan.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cpu/memory_plan.h"
#include "kernels/gpu/element.h"

namespace rightsize::gpu {

struct Step {
  std::string name;  // "conv1.forward"
  std::function<void()> run;
};

using Program = std::vector<Step>;

inline constexpr std::size_t alignment = 256;  // cudaMalloc's; cuDNN wants at least 16

class Lowering {
 public:
  [[nodiscard]] int buffer(std::size_t bytes);
  [[nodiscard]] Tensor tensor(const TensorShape& shape, ElementType type);
  void keep(int buffer);                     // alive from the first step to the last
  void grow(int buffer, std::size_t bytes);  // before `plan`: at least this large

  // `touched` are the buffers the step reads or writes; negative ones are ignored.
  void emit(std::string name, std::function<void()> run, std::vector<int> touched);

  // The steps emitted since the last call.
  [[nodiscard]] Program take_program() { return std::exchange(program_, {}); }

  // Fixes every buffer's offset and returns the arena's size.
  [[nodiscard]] std::size_t plan();
  void bind(void* base) { base_ = static_cast<std::byte*>(base); }

  [[nodiscard]] std::size_t offset(int buffer) const;
  [[nodiscard]] std::size_t bytes(int buffer) const {  // rounded up to `alignment`
    return lifetimes_.at(static_cast<std::size_t>(buffer)).bytes;
  }
  [[nodiscard]] std::span<const cpu::Lifetime> lifetimes() const { return lifetimes_; }

  // Addresses are known once the arena is bound: only steps ask for them.
  [[nodiscard]] void* address(int buffer) const { return base_ + offset(buffer); }
  [[nodiscard]] void* address(const Tensor& tensor) const { return address(tensor.buffer); }
  template <typename Value>
  [[nodiscard]] Value* address_as(int buffer) const {
    return static_cast<Value*>(address(buffer));
  }

 private:
  std::vector<cpu::Lifetime> lifetimes_;  // by buffer
  std::vector<bool> kept_;                // by buffer
  std::vector<std::size_t> offsets_;      // by buffer
  Program program_;
  int time_ = 0;
  std::byte* base_ = nullptr;
};

}  // namespace rightsize::gpu
