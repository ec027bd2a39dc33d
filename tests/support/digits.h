// MNIST-like digits as a data set of `seed` holds them, normalised as the loader does.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/data/augment.h"
#include "kernels/data/small_images.h"
#include "support/tiny_batch.h"

namespace rightsize::test {

inline TinyBatch digits(int items, std::uint64_t seed) {
  constexpr std::size_t size = mnist_side * mnist_side;
  TinyBatch batch;
  batch.images.resize(static_cast<std::size_t>(items) * size);
  std::vector<std::uint8_t> pixels(size);
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(items); ++i) {
    const auto digit = static_cast<int>(mix(mix(seed) + i) % 10);
    paint_digit(seed, i, digit, pixels);
    normalise_planes(pixels,
                     {mnist_side, mnist_side},
                     PlaneOrder::grey,
                     centre_crop({mnist_side, mnist_side}, mnist_side),
                     std::span(batch.images).subspan(i * size, size));
    batch.labels.push_back(digit);
  }
  return batch;
}

}  // namespace rightsize::test
