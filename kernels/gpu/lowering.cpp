#include "kernels/gpu/lowering.h"

#include <algorithm>
#include <cassert>

namespace rightsize::gpu {
namespace {

// With sizes that are multiples of `alignment`, so are all offsets of the plan.
std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

int Lowering::buffer(std::size_t bytes) {
  lifetimes_.push_back({aligned(bytes), 0, -1});
  kept_.push_back(false);
  return static_cast<int>(lifetimes_.size()) - 1;
}

Tensor Lowering::tensor(const TensorShape& shape, ElementType type) {
  Tensor result{-1, shape, type};
  result.buffer = buffer(result.bytes());
  return result;
}

void Lowering::keep(int buffer) {
  kept_.at(static_cast<std::size_t>(buffer)) = true;
}

void Lowering::grow(int buffer, std::size_t bytes) {
  auto& lifetime = lifetimes_.at(static_cast<std::size_t>(buffer));
  lifetime.bytes = std::max(lifetime.bytes, aligned(bytes));
}

void Lowering::emit(std::string name, std::function<void()> run, std::vector<int> touched) {
  for (const int buffer : touched) {
    if (buffer < 0) {
      continue;
    }
    auto& lifetime = lifetimes_.at(static_cast<std::size_t>(buffer));
    if (lifetime.last < lifetime.first) {
      lifetime.first = time_;
    }
    lifetime.last = time_;
  }
  program_.push_back({std::move(name), std::move(run)});
  ++time_;
}

std::size_t Lowering::plan() {
  for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
    if (kept_[i]) {
      lifetimes_[i].first = 0;
      lifetimes_[i].last = time_;
    }
  }
  auto plan = cpu::plan_memory(lifetimes_);
  offsets_ = std::move(plan.offsets);
  return plan.bytes;
}

std::size_t Lowering::offset(int buffer) const {
  assert(buffer >= 0 && !offsets_.empty());
  return offsets_[static_cast<std::size_t>(buffer)];
}

}  // namespace rightsize::gpu
