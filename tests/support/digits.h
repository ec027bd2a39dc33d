// Digit-like images: the seven strokes of a pocket calculator's display, shifted, thickened and
// dimmed at random under noise.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "support/tiny_batch.h"

namespace rightsize::test {

struct Stroke {
  int top, left, bottom, right;
};

// Of a 16 x 10 glyph: top, middle, bottom; upper and lower left; upper and lower right.
inline constexpr std::array<Stroke, 7> strokes{{{0, 0, 1, 9},
                                                {7, 0, 8, 9},
                                                {14, 0, 15, 9},
                                                {0, 0, 8, 1},
                                                {7, 0, 15, 1},
                                                {0, 8, 8, 9},
                                                {7, 8, 15, 9}}};
inline constexpr std::array<const char*, 10> lit{"1011111",
                                                 "0000011",
                                                 "1110110",
                                                 "1110011",
                                                 "0101011",
                                                 "1111001",
                                                 "1111101",
                                                 "1000011",
                                                 "1111111",
                                                 "1111011"};

// One 28 x 28 image into `image`.
inline void draw_digit(int digit, std::mt19937& generator, float* image) {
  constexpr int side = 28;
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(generator);
  };
  const int down = pick(4, 8);
  const int right = pick(6, 11);
  const int thick = pick(0, 1);
  const float ink = 0.7F + 0.3F * static_cast<float>(pick(0, 100)) / 100;
  std::normal_distribution<float> noise(0.0F, 0.15F);
  for (int i = 0; i < side * side; ++i) {
    image[i] = noise(generator);
  }
  for (std::size_t s = 0; s < strokes.size(); ++s) {
    if (lit[static_cast<std::size_t>(digit)][s] != '1') {
      continue;
    }
    for (int y = strokes[s].top; y <= strokes[s].bottom + thick; ++y) {
      for (int x = strokes[s].left; x <= strokes[s].right + thick; ++x) {
        image[(down + y) * side + right + x] = ink + noise(generator);
      }
    }
  }
}

inline TinyBatch digits(int items, std::uint32_t seed) {
  std::mt19937 generator(seed);
  TinyBatch batch;
  batch.images.resize(static_cast<std::size_t>(items) * 28 * 28);
  for (int i = 0; i < items; ++i) {
    const int digit = std::uniform_int_distribution<int>(0, 9)(generator);
    draw_digit(digit, generator, batch.images.data() + static_cast<std::ptrdiff_t>(i) * 28 * 28);
    batch.labels.push_back(digit);
  }
  return batch;
}

}  // namespace rightsize::test
