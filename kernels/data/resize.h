// Bilinear resize of RGB pictures, and of the crop of a resized picture without making the rest.
// Convention: pixel centres at +0.5, as OpenCV's INTER_LINEAR: source = (target + 0.5) * scale -
// 0.5, clamped at the edges; no antialiasing. Float weights, rounded once: within 1 level of the
// exact value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/data/image.h"

namespace rightsize {

// `size` scaled so that its shorter side is `side`, rounded to the nearest pixel.
[[nodiscard]] Size with_shorter_side(const Size& size, int side);

// What of a picture of size `source` is read to make `window` of it resized to `target`.
[[nodiscard]] Region source_region(const Size& source, const Size& target, const Region& window);

// Keeps its tables and row cache from call to call: one per thread.
class Resizer {
 public:
  // Makes `window` of `source.whole` resized to `target`, as dense RGB rows in `out`
  // (window.width * window.height * 3 bytes). `source` must hold source_region(...).
  void resize(const ImagePart& source,
              const Size& target,
              const Region& window,
              std::span<std::uint8_t> out);

 private:
  void make_columns(const ImagePart& source, const Size& target, const Region& window);

  std::vector<std::int32_t> left_;   // byte offset of the left source pixel of a target column
  std::vector<float> right_weight_;  // weight of the pixel right of it
  std::vector<float> blended_;       // one source row between two: the vertical pass
  std::vector<float> row_;           // one target row, four floats a pixel written, three kept
};

}  // namespace rightsize
