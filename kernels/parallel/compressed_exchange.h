// Gradients in two bits each: what a rank sends is -threshold, 0 or +threshold, and what that
// leaves over it adds to its next gradient (Seide et al., "1-bit stochastic gradient descent",
// Interspeech 2014; MXNet's "2bit" compression).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "kernels/parallel/exchange.h"

namespace rightsize {

inline constexpr float compression_threshold = 0.5F;  // MXNet's default
inline constexpr std::size_t codes_per_word = 16;

// Adds `gradient` to `residual`, writes the codes of what is sent (16 to a word) and keeps the rest
// in `residual`.
void compress(std::span<const float> gradient,
              std::span<float> residual,
              std::span<std::uint32_t> codes,
              float threshold = compression_threshold);
// Adds what the codes stand for, from element `begin` of the buffer on (a multiple of 16).
void add_decompressed(std::span<const std::uint32_t> codes,
                      std::size_t begin,
                      std::span<float> sum,
                      float threshold = compression_threshold);

// Every rank adds up its share of what all sent, then all fetch the other shares.
[[nodiscard]] std::unique_ptr<GradientExchange> make_compressed_exchange(std::size_t ranks);

}  // namespace rightsize
