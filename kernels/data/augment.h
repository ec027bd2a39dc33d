// Crop window, flip and normalisation: from 8-bit RGB rows or planes to float planes (CHW).
// Mean and deviation are ImageNet's per-channel ones, of pixels scaled to 0..1, in RGB order, as
// the reference trainers of torchvision and MXNet use them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "kernels/data/image.h"

namespace rightsize {

inline constexpr std::array<float, 3> imagenet_mean = {0.485F, 0.456F, 0.406F};
inline constexpr std::array<float, 3> imagenet_deviation = {0.229F, 0.224F, 0.225F};

// What is done to one item; a pure function of seed, epoch and item, so that the bytes do not
// depend on which thread does it.
struct Augmentation {
  Region window;  // side x side, in the resized picture
  bool flip = false;
};

[[nodiscard]] Augmentation centre_crop(const Size& picture, int side);
[[nodiscard]] Augmentation random_crop(
    const Size& picture, int side, std::uint64_t seed, std::uint64_t epoch, std::uint64_t item);

// Dense RGB rows (side x side x 3) to three float planes of side x side.
void normalise_rgb(std::span<const std::uint8_t> pixels,
                   int side,
                   bool flip,
                   std::span<float> planes);

// Grey pictures: MNIST's mean and deviation, as PyTorch's examples use them.
inline constexpr float mnist_mean = 0.1307F;
inline constexpr float mnist_deviation = 0.3081F;

enum class PlaneOrder { grey, rgb, bgr };

// One or three planes, `picture` in size, to as many float planes, cropped; red comes first, as
// normalise_rgb makes it.
void normalise_planes(std::span<const std::uint8_t> source,
                      const Size& picture,
                      PlaneOrder order,
                      const Augmentation& how,
                      std::span<float> planes);

// SplitMix64's output function: a bijection of 64-bit numbers that passes BigCrush as a stream.
// Reference: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace rightsize
