// What channel_blocks.h does to every value of a channel.
#include "kernels/cpu/bf16.h"
#include "kernels/cpu/channel_loops.h"
#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

template <bool scales, bool shifts, typename Element, typename Width>
[[gnu::always_inline]] inline void line(const Element* in,
                                        const ChannelLines& lines,
                                        std::int64_t positions,
                                        Width width,
                                        Element* out) {
  for (std::int64_t p = 0; p < positions; ++p) {
#pragma omp simd
    for (std::int64_t c = 0; c < width; ++c) {
      auto value = static_cast<float>(in[p * width + c]);
      value = scales ? value * lines.factors[c] : value;
      store(shifts ? value + lines.offsets[c] : value, out[p * width + c]);
    }
  }
}

template <typename Element>
[[gnu::always_inline]] inline void line_of(const Element* in,
                                           const ChannelLines& lines,
                                           std::int64_t positions,
                                           std::int64_t block,
                                           Element* out) {
  with_width(
      block, [=](auto width) __attribute__((always_inline)) {
        if (lines.offsets == nullptr) {
          line<true, false>(in, lines, positions, width, out);
        } else if (lines.factors == nullptr) {
          line<false, true>(in, lines, positions, width, out);
        } else {
          line<true, true>(in, lines, positions, width, out);
        }
      });
}

template <typename Element>
[[gnu::always_inline]] inline void plane_of(const Element* a,
                                            const Element* b,
                                            const ChannelLines& lines,
                                            const float* b_factors,
                                            std::int64_t positions,
                                            std::int64_t block,
                                            Element* out) {
  with_width(
      block, [=](auto width) __attribute__((always_inline)) {
        for (std::int64_t p = 0; p < positions; ++p) {
#pragma omp simd
          for (std::int64_t c = 0; c < width; ++c) {
            const auto i = p * width + c;
            store(static_cast<float>(a[i]) * lines.factors[c] +
                      static_cast<float>(b[i]) * b_factors[c] + lines.offsets[c],
                  out[i]);
          }
        }
      });
}

RIGHTSIZE_SIMD_CLONES void line_in(const float* in,
                                   const ChannelLines& lines,
                                   std::int64_t positions,
                                   std::int64_t block,
                                   float* out) {
  line_of(in, lines, positions, block, out);
}

RIGHTSIZE_SIMD_CLONES void line_in(const Bf16* in,
                                   const ChannelLines& lines,
                                   std::int64_t positions,
                                   std::int64_t block,
                                   Bf16* out) {
  line_of(in, lines, positions, block, out);
}

RIGHTSIZE_SIMD_CLONES void plane_in(const float* a,
                                    const float* b,
                                    const ChannelLines& lines,
                                    const float* b_factors,
                                    std::int64_t positions,
                                    std::int64_t block,
                                    float* out) {
  plane_of(a, b, lines, b_factors, positions, block, out);
}

RIGHTSIZE_SIMD_CLONES void plane_in(const Bf16* a,
                                    const Bf16* b,
                                    const ChannelLines& lines,
                                    const float* b_factors,
                                    std::int64_t positions,
                                    std::int64_t block,
                                    Bf16* out) {
  plane_of(a, b, lines, b_factors, positions, block, out);
}

ChannelLines of_plane(const ChannelLines& lines, std::int64_t first) {
  return {lines.factors == nullptr ? nullptr : lines.factors + first,
          lines.offsets == nullptr ? nullptr : lines.offsets + first};
}

}  // namespace

template <typename Element>
void apply_lines(const Element* in,
                 const ChannelLines& lines,
                 const ChannelBlocks& shape,
                 Element* out) {
  for_each_chunk(shape, [=](auto plane, auto first, auto positions, auto) {
    line_in(in + first, of_plane(lines, plane * shape.block), positions, shape.block, out + first);
  });
}

template <typename Element>
void apply_lines(const Element* a,
                 const Element* b,
                 const ChannelLines& lines,
                 const float* b_factors,
                 const ChannelBlocks& shape,
                 Element* out) {
  for_each_chunk(shape, [=](auto plane, auto first, auto positions, auto) {
    plane_in(a + first,
             b + first,
             of_plane(lines, plane * shape.block),
             b_factors + plane * shape.block,
             positions,
             shape.block,
             out + first);
  });
}

template void apply_lines(const float*, const ChannelLines&, const ChannelBlocks&, float*);
template void apply_lines(const Bf16*, const ChannelLines&, const ChannelBlocks&, Bf16*);
template void apply_lines(
    const float*, const float*, const ChannelLines&, const float*, const ChannelBlocks&, float*);
template void apply_lines(
    const Bf16*, const Bf16*, const ChannelLines&, const float*, const ChannelBlocks&, Bf16*);

}  // namespace rightsize::cpu
