// Images as rows of neighbouring channels, for kernels that go through memory as it lies: all
// channels of a position side by side (NHWC), or oneDNN's blocks of 8 or 16 of them, of which the
// last is filled up with zeros.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/lowering.h"

namespace rightsize::cpu {

// A plane is one block of channels of one item, positions x block values. What there is one number
// of for each channel of an item lies as items x width, plane after plane.
struct ChannelBlocks {
  std::int64_t items = 0;
  std::int64_t blocks = 0;  // of an item
  std::int64_t block = 0;   // channels
  std::int64_t height = 0;
  std::int64_t width = 0;

  static constexpr std::int64_t chunk = 64;  // positions that FP32 adds up before FP64 takes over

  [[nodiscard]] std::int64_t planes() const { return items * blocks; }
  [[nodiscard]] std::int64_t channels() const { return blocks * block; }  // zeros included
  [[nodiscard]] std::int64_t positions() const { return height * width; }
  [[nodiscard]] std::int64_t chunks() const { return (positions() + chunk - 1) / chunk; }
  [[nodiscard]] std::int64_t in_chunk(std::int64_t k) const {
    return std::min(chunk, positions() - k * chunk);
  }
  // Floats of two sums for every chunk and channel, and where those of a channel (of the items'
  // items x channels) begin: the other sum is a block behind, the next chunk two.
  [[nodiscard]] std::int64_t partial_sums() const { return 2 * planes() * chunks() * block; }
  [[nodiscard]] std::int64_t partial_sum(std::int64_t channel) const {
    return channel / block * chunks() * 2 * block + channel % block;
  }
};

// `tensor` where it lies so, in the engine's type and a planned buffer; else brought there.
[[nodiscard]] Tensor in_channel_blocks(Lowering& lowering, const Tensor& tensor);
// Of what in_channel_blocks() returned.
[[nodiscard]] ChannelBlocks channel_blocks(const dnnl::memory::desc& desc);
// The layout of such a desc with other positions.
[[nodiscard]] dnnl::memory::desc laid_out_like(const dnnl::memory::desc& desc,
                                               const dnnl::memory::dims& dims);
// One FP32 number for each channel of an item beside an image of `desc`: items x channels.
[[nodiscard]] dnnl::memory::desc channel_vectors(const dnnl::memory::desc& desc);

// Mean and summed squares around it, of each chunk and channel.
template <typename Element>
void chunk_moments(const Element* in, const ChannelBlocks& shape, float* partials);

// Sums of a, and of a b, for each chunk and channel.
template <typename Element>
void chunk_products(const Element* a,
                    const Element* b,
                    const ChannelBlocks& shape,
                    float* partials);

// The numbers of each channel of an item; null: ones, and zeros.
struct ChannelLines {
  const float* factors = nullptr;
  const float* offsets = nullptr;
};

// out = factor in + offset; may be done in place.
template <typename Element>
void apply_lines(const Element* in,
                 const ChannelLines& lines,
                 const ChannelBlocks& shape,
                 Element* out);

// out = factor a + b_factor b + offset; may be done in place.
template <typename Element>
void apply_lines(const Element* a,
                 const Element* b,
                 const ChannelLines& lines,
                 const float* b_factors,
                 const ChannelBlocks& shape,
                 Element* out);

}  // namespace rightsize::cpu
