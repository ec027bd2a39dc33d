#include "kernels/gpu/emulation/launch.h"

#include <algorithm>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "kernels/gpu/emulation/block.h"

namespace rightsize::emulation {
namespace {

constexpr std::size_t stack_bytes = 128 * 1024;

thread_local std::uint64_t next_seed = 1;
thread_local std::uint64_t blocks_so_far = 0;

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (7.5 to 12.x).
void check_shape(const LaunchShape& shape) {
  const auto& [grid, block, shared, stream] = shape;
  const auto text = fmt::format("a grid of {} x {} x {} blocks of {} x {} x {} threads",
                                grid.x,
                                grid.y,
                                grid.z,
                                block.x,
                                block.y,
                                block.z);
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x * block.y * block.z == 0) {
    throw EmulationError(text + " is empty");
  }
  if (block.x * block.y * block.z > 1024 || block.x > 1024 || block.y > 1024 || block.z > 64 ||
      grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535) {
    throw EmulationError(text + " is more than a GPU takes");
  }
}

std::vector<uint3> shuffled_blocks(const dim3& grid, std::mt19937_64& order) {
  std::vector<uint3> blocks;
  for (unsigned z = 0; z < grid.z; ++z) {
    for (unsigned y = 0; y < grid.y; ++y) {
      for (unsigned x = 0; x < grid.x; ++x) {
        blocks.push_back({x, y, z});
      }
    }
  }
  std::shuffle(blocks.begin(), blocks.end(), order);
  return blocks;
}

}  // namespace

void set_seed(std::uint64_t seed) {
  next_seed = seed;
}

std::uint64_t blocks_run() {
  return blocks_so_far;
}

void launch(const LaunchShape& shape,
            const std::function<void()>& thread_body,
            std::source_location where) {
  const auto seed = next_seed++;
  std::mt19937_64 order(seed);
  try {
    check_shape(shape);
    Block::Stacks stacks(stack_bytes);
    for (const auto& index : shuffled_blocks(shape.grid, order)) {
      Block(shape.grid, shape.block, index, shape.dynamic_shared_bytes)
          .run(thread_body, stacks, order);
      ++blocks_so_far;
    }
  } catch (const EmulationError& error) {
    throw EmulationError(fmt::format("kernel launched at {}:{} (order {}): {}",
                                     where.file_name(),
                                     where.line(),
                                     seed,
                                     error.what()));
  }
}

}  // namespace rightsize::emulation
