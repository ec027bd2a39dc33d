// The sums of channel_blocks.h, chunk by chunk.
#include <algorithm>

#include "kernels/cpu/bf16.h"
#include "kernels/cpu/channel_loops.h"
#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

// Deviations from the first position, whose size is that of the spread and not of the mean.
template <typename Element, typename Width>
[[gnu::always_inline]] inline void moments(
    const Element* in, std::int64_t positions, Width width, float* means, float* squares) {
  for (std::int64_t c = 0; c < width; ++c) {
    means[c] = 0;
    squares[c] = 0;
  }
  for (std::int64_t p = 1; p < positions; ++p) {
#pragma omp simd
    for (std::int64_t c = 0; c < width; ++c) {
      const float distance = static_cast<float>(in[p * width + c]) - static_cast<float>(in[c]);
      means[c] += distance;
      squares[c] += distance * distance;
    }
  }
  const auto count = static_cast<float>(positions);
  for (std::int64_t c = 0; c < width; ++c) {
    squares[c] -= means[c] * means[c] / count;
    means[c] = static_cast<float>(in[c]) + means[c] / count;
  }
}

template <typename Element, typename Width>
[[gnu::always_inline]] inline void products(const Element* a,
                                            const Element* b,
                                            std::int64_t positions,
                                            Width width,
                                            float* sums,
                                            float* products) {
  for (std::int64_t c = 0; c < width; ++c) {
    sums[c] = 0;
    products[c] = 0;
  }
  for (std::int64_t p = 0; p < positions; ++p) {
#pragma omp simd
    for (std::int64_t c = 0; c < width; ++c) {
      const auto x = static_cast<float>(a[p * width + c]);
      sums[c] += x;
      products[c] += x * static_cast<float>(b[p * width + c]);
    }
  }
}

// Sums stay in registers where the width is known: memory gets them at the end.
template <typename Width, typename Sum>
[[gnu::always_inline]] inline void sum_up(Width width, float* partials, Sum sum) {
  if constexpr (std::is_integral_v<Width>) {
    sum(partials, partials + width);
  } else {
    float first[Width::value];
    float second[Width::value];
    sum(first, second);
    std::copy_n(first, Width::value, partials);
    std::copy_n(second, Width::value, partials + Width::value);
  }
}

template <typename Element>
[[gnu::always_inline]] inline void moments_of(const Element* in,
                                              std::int64_t positions,
                                              std::int64_t block,
                                              float* partials) {
  with_width(
      block, [=](auto width) __attribute__((always_inline)) {
        sum_up(
            width, partials, [=](float* means, float* squares) __attribute__((always_inline)) {
              moments(in, positions, width, means, squares);
            });
      });
}

template <typename Element>
[[gnu::always_inline]] inline void products_of(const Element* a,
                                               const Element* b,
                                               std::int64_t positions,
                                               std::int64_t block,
                                               float* partials) {
  with_width(
      block, [=](auto width) __attribute__((always_inline)) {
        sum_up(
            width, partials, [=](float* sums, float* both) __attribute__((always_inline)) {
              products(a, b, positions, width, sums, both);
            });
      });
}

RIGHTSIZE_SIMD_CLONES void moments_in(const float* in,
                                      std::int64_t positions,
                                      std::int64_t block,
                                      float* partials) {
  moments_of(in, positions, block, partials);
}

RIGHTSIZE_SIMD_CLONES void moments_in(const Bf16* in,
                                      std::int64_t positions,
                                      std::int64_t block,
                                      float* partials) {
  moments_of(in, positions, block, partials);
}

RIGHTSIZE_SIMD_CLONES void products_in(
    const float* a, const float* b, std::int64_t positions, std::int64_t block, float* partials) {
  products_of(a, b, positions, block, partials);
}

RIGHTSIZE_SIMD_CLONES void products_in(
    const Bf16* a, const Bf16* b, std::int64_t positions, std::int64_t block, float* partials) {
  products_of(a, b, positions, block, partials);
}

}  // namespace

template <typename Element>
void chunk_moments(const Element* in, const ChannelBlocks& shape, float* partials) {
  for_each_chunk(shape, [=](auto, auto first, auto positions, auto number) {
    moments_in(in + first, positions, shape.block, partials + number * 2 * shape.block);
  });
}

template <typename Element>
void chunk_products(const Element* a,
                    const Element* b,
                    const ChannelBlocks& shape,
                    float* partials) {
  for_each_chunk(shape, [=](auto, auto first, auto positions, auto number) {
    products_in(a + first, b + first, positions, shape.block, partials + number * 2 * shape.block);
  });
}

template void chunk_moments(const float*, const ChannelBlocks&, float*);
template void chunk_moments(const Bf16*, const ChannelBlocks&, float*);
template void chunk_products(const float*, const float*, const ChannelBlocks&, float*);
template void chunk_products(const Bf16*, const Bf16*, const ChannelBlocks&, float*);

}  // namespace rightsize::cpu
