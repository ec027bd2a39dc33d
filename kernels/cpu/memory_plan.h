// Where each buffer of a step lives in one arena: buffers whose lifetimes do not meet share bytes.
// Greedy by size, lowest free offset first (Pisarchyk and Lee, "Efficient Memory Management for
// Deep Neural Net Inference", 2020, algorithm "greedy by size").
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rightsize::cpu {

// Alive from step `first` to step `last`, both included. last < first: never used, takes no room.
struct Lifetime {
  std::size_t bytes = 0;
  int first = 0;
  int last = -1;
};

struct MemoryPlan {
  std::vector<std::size_t> offsets;  // one per buffer, multiples of `alignment`
  std::size_t bytes = 0;             // size of the arena
};

inline constexpr std::size_t alignment = 64;  // a cache line, and a 512-bit register

[[nodiscard]] MemoryPlan plan_memory(std::span<const Lifetime> buffers);

}  // namespace rightsize::cpu
