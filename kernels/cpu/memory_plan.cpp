#include "kernels/cpu/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace rightsize::cpu {
namespace {

std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

bool meet(const Lifetime& a, const Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

// Lowest offset with room for `bytes` beside the taken ranges, which are sorted by offset.
std::size_t lowest_gap(std::span<const std::pair<std::size_t, std::size_t>> taken,
                       std::size_t bytes) {
  std::size_t offset = 0;
  for (const auto& [begin, end] : taken) {
    if (offset + bytes <= begin) {
      return offset;
    }
    offset = std::max(offset, end);
  }
  return offset;
}

}  // namespace

MemoryPlan plan_memory(std::span<const Lifetime> buffers) {
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return buffers[a].bytes > buffers[b].bytes;
  });

  MemoryPlan plan{std::vector<std::size_t>(buffers.size(), 0), 0};
  std::vector<std::size_t> placed;
  std::vector<std::pair<std::size_t, std::size_t>> taken;
  for (const auto index : order) {
    const auto& buffer = buffers[index];
    if (buffer.last < buffer.first) {
      continue;
    }
    taken.clear();
    for (const auto other : placed) {
      if (meet(buffer, buffers[other])) {
        taken.emplace_back(plan.offsets[other],
                           plan.offsets[other] + aligned(buffers[other].bytes));
      }
    }
    std::sort(taken.begin(), taken.end());
    plan.offsets[index] = lowest_gap(taken, aligned(buffer.bytes));
    plan.bytes = std::max(plan.bytes, plan.offsets[index] + aligned(buffer.bytes));
    placed.push_back(index);
  }
  return plan;
}

}  // namespace rightsize::cpu
