// Decoded 8-bit pictures of different sizes, packed one after the other, and what is to be made of
// each: what an engine that preprocesses takes in the place of normalised images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rightsize {

// A piece of a picture that is to be resized as a whole, cropped, flipped and normalised. Values
// of channel c at row y and column x of the piece lie at
// first + c * channel_stride + y * row_stride + x * pixel_stride.
struct Picture {
  std::int64_t first = 0;
  std::int32_t channel_stride = 0;  // 1 where channels lie together; negative for blue first
  std::int32_t row_stride = 0;
  std::int32_t pixel_stride = 0;
  std::int32_t region_x = 0;  // where the piece lies in the whole picture
  std::int32_t region_y = 0;
  std::int32_t whole_width = 0;
  std::int32_t whole_height = 0;
  std::int32_t target_width = 0;  // what the whole is resized to, as data/resize.h has it
  std::int32_t target_height = 0;
  std::int32_t window_x = 0;  // the crop's corner in the target; its sides are the network's input
  std::int32_t window_y = 0;
  std::int32_t flip = 0;  // 1: left and right change places
};

// Room kept for one item of `side` x `side`, bytes: what its FP32 values would take. A piece that
// needs more is resized before it gets here.
[[nodiscard]] constexpr std::size_t picture_bytes(std::int64_t side, std::int64_t channels) {
  const auto area = side * side * 4;
  const auto with_neighbours = (side + 2) * (side + 2);
  return static_cast<std::size_t>((area > with_neighbours ? area : with_neighbours) * channels);
}

struct Pictures {
  std::span<const std::uint8_t> pixels;
  std::span<const Picture> pictures;  // one per item
};

}  // namespace rightsize
