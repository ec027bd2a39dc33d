// Pictures with the statistics of photographs, drawn cheaply from a seed.
// The world is "dead leaves": textured discs of all sizes hiding each other, which gives the 1/f
// amplitude spectrum and the edges of natural images; then a lens (soft edges) and sensor noise,
// which fills a JPEG's high frequencies as a camera does. References: Field, "Relations between the
// statistics of natural images...", JOSA A 4(12), 1987 (amplitude ~ 1/f); Lee, Mumford, Huang,
// "Occlusion models for natural images", IJCV 41, 2001 (radius density ~ r^-3).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/data/image.h"

namespace rightsize {

// The sizes of ImageNet's photographs in miniature: 500 x 375 most often, a quarter portrait, a few
// large ones.
[[nodiscard]] Size imagenet_like_size(std::uint64_t random);

class ScenePainter {
 public:
  ScenePainter(std::uint64_t seed, int classes);

  // Paints picture `index` of class `label` into `pixels` (resized to fit). The class decides hue,
  // stripe direction and stripe width of the large object in the middle. Thread-safe.
  ImageView paint(std::uint64_t index, int label, std::vector<std::uint8_t>& pixels) const;

 private:
  struct Leaf;
  void paint_leaf(const Leaf& leaf, const Size& size, std::uint8_t* pixels) const;
  void add_noise(std::uint64_t random, const Size& size, std::uint8_t* pixels) const;

  std::uint64_t seed_;
  int classes_;
  std::vector<std::int8_t> texture_;  // tileable, equal power in every octave: a 1/f spectrum
  std::vector<std::int8_t> noise_;    // Gaussian
};

}  // namespace rightsize
