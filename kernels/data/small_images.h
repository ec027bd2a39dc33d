// Pictures for the small data sets: digits to write and coloured objects, drawn from a seed, with
// the class in them so that a network can learn it. Their bytes are raw, so what they cost to read
// does not depend on what is in them.
#pragma once

#include <cstdint>
#include <span>

namespace rightsize {

inline constexpr int mnist_side = 28;
inline constexpr int cifar_side = 32;

// A digit of seven strokes in 28 x 28 grey pixels: moved, turned, sheared, of varying thickness,
// with noise, as handwriting varies. A pure function of seed and index.
void paint_digit(std::uint64_t seed,
                 std::uint64_t index,
                 int digit,
                 std::span<std::uint8_t> pixels);

// Three planes (red, green, blue) of 32 x 32: a shaded background, an object whose hue and stripes
// are its class's, noise. A pure function of seed and index.
void paint_object(std::uint64_t seed,
                  std::uint64_t index,
                  int label,
                  int classes,
                  std::span<std::uint8_t> planes);

}  // namespace rightsize
