// Borrowed views of 8-bit RGB pictures: rows top to bottom, pixels of three bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rightsize {

struct Size {
  int width = 0;
  int height = 0;

  bool operator==(const Size&) const = default;
};

// Pixels x .. x + width - 1 and y .. y + height - 1 of some picture.
struct Region {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  bool operator==(const Region&) const = default;
};

struct ImageView {
  const std::uint8_t* pixels = nullptr;
  Size size;
  std::ptrdiff_t stride = 0;  // bytes from row to row

  [[nodiscard]] const std::uint8_t* row(int y) const { return pixels + y * stride; }
};

// A piece of a larger picture: `view` shows `region` of a picture of size `whole`.
struct ImagePart {
  ImageView view;
  Region region;
  Size whole;
};

}  // namespace rightsize
