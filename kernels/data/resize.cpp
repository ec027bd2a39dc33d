#include "kernels/data/resize.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "kernels/data/clones.h"

namespace rightsize {

namespace {

// Four lanes: a pixel and the first channel of the next. GCC's vector extension is one instruction
// each on SSE2, AVX and NEON.
using Pixel [[gnu::vector_size(16)]] = float;

Pixel load(const float* at) {
  Pixel pixel;
  std::memcpy(&pixel, at, sizeof pixel);
  return pixel;
}

// Where target coordinate `at` lies in the source: the pixel before it and the weight of the next.
struct Tap {
  int first = 0;
  float next_weight = 0;
};

Tap tap(int at, int source, int target) {
  const double scale = static_cast<double>(source) / target;
  const double position =
      std::clamp((at + 0.5) * scale - 0.5, 0.0, static_cast<double>(source - 1));
  const int first = std::min(static_cast<int>(position), std::max(0, source - 2));
  return {first, source == 1 ? 0.0F : static_cast<float>(position - first)};
}

RIGHTSIZE_AVX2_CLONE void blend_rows(const std::uint8_t* __restrict above,
                                     const std::uint8_t* __restrict below,
                                     float weight,
                                     std::size_t count,
                                     float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = static_cast<float>(above[i]);
    out[i] = a + (static_cast<float>(below[i]) - a) * weight;
  }
}

RIGHTSIZE_AVX2_CLONE void blend_columns(const float* __restrict row,
                                        const std::int32_t* __restrict left,
                                        const float* __restrict weight,
                                        std::size_t width,
                                        float* __restrict out) {
  for (std::size_t x = 0; x < width; ++x) {
    const auto* at = row + left[x];
    const auto first = load(at);
    const Pixel mixed = first + (load(at + 3) - first) * weight[x];
    std::memcpy(out + 3 * x, &mixed, sizeof mixed);  // the fourth lane is overwritten by the next
  }
}

RIGHTSIZE_AVX2_CLONE void round_row(const float* __restrict row,
                                    std::size_t count,
                                    std::uint8_t* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(row[i] + 0.5F));
  }
}

}  // namespace

Size with_shorter_side(const Size& size, int side) {
  const double scale = static_cast<double>(side) / std::min(size.width, size.height);
  return {std::max(side, static_cast<int>(std::lround(size.width * scale))),
          std::max(side, static_cast<int>(std::lround(size.height * scale)))};
}

Region source_region(const Size& source, const Size& target, const Region& window) {
  const int left = tap(window.x, source.width, target.width).first;
  const int top = tap(window.y, source.height, target.height).first;
  const int right = tap(window.x + window.width - 1, source.width, target.width).first + 2;
  const int bottom = tap(window.y + window.height - 1, source.height, target.height).first + 2;
  return {left, top, std::min(right, source.width) - left, std::min(bottom, source.height) - top};
}

void Resizer::make_columns(const ImagePart& source, const Size& target, const Region& window) {
  const auto width = static_cast<std::size_t>(window.width);
  left_.resize(width);
  right_weight_.resize(width);
  for (int x = 0; x < window.width; ++x) {
    const auto [first, weight] = tap(window.x + x, source.whole.width, target.width);
    left_[static_cast<std::size_t>(x)] = (first - source.region.x) * 3;
    right_weight_[static_cast<std::size_t>(x)] = weight;
  }
}

void Resizer::resize(const ImagePart& source,
                     const Size& target,
                     const Region& window,
                     std::span<std::uint8_t> out) {
  const auto width = static_cast<std::size_t>(window.width) * 3;
  assert(out.size() == width * static_cast<std::size_t>(window.height));
  make_columns(source, target, window);
  // Only the columns that some target pixel reads; four more floats for the last load.
  const int first_byte = left_.front();
  const int last_byte = std::min(left_.back() + 6, source.view.size.width * 3);
  const auto count = static_cast<std::size_t>(last_byte - first_byte);
  blended_.resize(std::max(blended_.size(), static_cast<std::size_t>(last_byte) + 8));
  row_.resize(width + 4);
  for (int y = 0; y < window.height; ++y) {
    const auto [first, weight] = tap(window.y + y, source.whole.height, target.height);
    const auto* above = source.view.row(first - source.region.y) + first_byte;
    const bool single = source.whole.height == 1;
    const auto* below = single ? above : above + source.view.stride;
    blend_rows(above, below, weight, count, blended_.data() + first_byte);
    blend_columns(blended_.data(), left_.data(), right_weight_.data(), left_.size(), row_.data());
    round_row(row_.data(), width, out.data() + static_cast<std::size_t>(y) * width);
  }
}

}  // namespace rightsize
