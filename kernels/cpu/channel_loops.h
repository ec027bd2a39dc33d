// How the loops over channel_blocks.h are made: once for each width of a block, shared out by
// chunks.
#pragma once

#include <type_traits>

#include "kernels/cpu/channel_blocks.h"

namespace rightsize::cpu {

template <std::int64_t width>
using Fixed = std::integral_constant<std::int64_t, width>;

// Calls one of the loops below with the block's width known to the compiler, where it is oneDNN's.
template <typename Loop>
[[gnu::always_inline]] inline void with_width(std::int64_t block, Loop loop) {
  if (block == 16) {
    loop(Fixed<16>());
  } else if (block == 8) {
    loop(Fixed<8>());
  } else {
    loop(block);
  }
}

// visit(plane, first value, positions, chunk's number among all), shared out over the threads.
template <typename Visit>
void for_each_chunk(const ChannelBlocks& shape, Visit visit) {
  const auto chunks = shape.chunks();
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < shape.planes() * chunks; ++i) {
    const auto plane = i / chunks;
    const auto first = plane * shape.positions() + i % chunks * ChannelBlocks::chunk;
    visit(plane, first * shape.block, shape.in_chunk(i % chunks), i);
  }
}

}  // namespace rightsize::cpu
