#include "kernels/data/resize.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <doctest/doctest.h>

#include "kernels/data/augment.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

std::vector<std::uint8_t> random_pixels(const Size& size) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(size.width * size.height * 3));
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = static_cast<std::uint8_t>(mix(i));
  }
  return pixels;
}

// The definition, in double precision, pixel by pixel.
double reference(const std::vector<std::uint8_t>& pixels,
                 const Size& from,
                 const Size& to,
                 int x,
                 int y,
                 int c) {
  const auto axis = [](int at, int source, int target) {
    return std::clamp((at + 0.5) * source / target - 0.5, 0.0, source - 1.0);
  };
  const double u = axis(x, from.width, to.width);
  const double v = axis(y, from.height, to.height);
  const auto pixel = [&](int i, int j) {
    i = std::min(i, from.width - 1);
    j = std::min(j, from.height - 1);
    return static_cast<double>(pixels[static_cast<std::size_t>((j * from.width + i) * 3 + c)]);
  };
  const int i = static_cast<int>(u);
  const int j = static_cast<int>(v);
  return std::lerp(std::lerp(pixel(i, j), pixel(i + 1, j), u - i),
                   std::lerp(pixel(i, j + 1), pixel(i + 1, j + 1), u - i),
                   v - j);
}

double worst_error(const Size& from, const Size& to, const Region& window) {
  const auto pixels = random_pixels(from);
  const ImagePart source{
      {pixels.data(), from, from.width * 3}, {0, 0, from.width, from.height}, from};
  std::vector<std::uint8_t> out(static_cast<std::size_t>(window.width * window.height * 3));
  Resizer().resize(source, to, window, out);
  double worst = 0;
  for (int y = 0; y < window.height; ++y) {
    for (int x = 0; x < window.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        const auto got = out[static_cast<std::size_t>((y * window.width + x) * 3 + c)];
        const auto wanted = reference(pixels, from, to, window.x + x, window.y + y, c);
        worst = std::max(worst, std::abs(got - wanted));
      }
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("resize: every pixel is the nearest level to the exact bilinear value") {
  // Half a level is rounding; the rest is float arithmetic.
  CHECK(worst_error({500, 375}, {341, 256}, {0, 0, 341, 256}) < 0.501);
  CHECK(worst_error({375, 500}, {256, 341}, {31, 60, 224, 224}) < 0.501);
  CHECK(worst_error({40, 30}, {341, 256}, {117, 32, 224, 224}) < 0.501);
  CHECK(worst_error({256, 256}, {256, 256}, {0, 0, 256, 256}) == 0);
  CHECK(worst_error({1, 1}, {5, 5}, {0, 0, 5, 5}) == 0);
  CHECK(worst_error({2, 7}, {3, 3}, {1, 1, 2, 2}) < 0.501);
}

TEST_CASE("resize: the source region is enough for the window, and no more than the picture") {
  const Size from{500, 375};
  const Size to{341, 256};
  const Region window{100, 30, 224, 224};
  const auto region = source_region(from, to, window);
  CHECK(region.x > 0);
  CHECK(region.y > 0);
  CHECK(region.x + region.width <= from.width);
  CHECK(region.y + region.height <= from.height);
  const auto pixels = random_pixels(from);
  std::vector<std::uint8_t> from_part(224 * 224 * 3);
  std::vector<std::uint8_t> from_whole(224 * 224 * 3);
  const auto* corner = pixels.data() + (region.y * from.width + region.x) * 3;
  Resizer().resize({{corner, {region.width, region.height}, from.width * 3}, region, from},
                   to,
                   window,
                   from_part);
  Resizer().resize(
      {{pixels.data(), from, from.width * 3}, {0, 0, 500, 375}, from}, to, window, from_whole);
  CHECK(from_part == from_whole);
}

TEST_CASE("resize: the shorter side becomes the one asked for") {
  CHECK(with_shorter_side({500, 375}, 256) == Size{341, 256});
  CHECK(with_shorter_side({333, 500}, 256) == Size{256, 384});
  CHECK(with_shorter_side({10, 10}, 256) == Size{256, 256});
}

TEST_CASE(
    "augment: crops stay inside, reach every offset, and depend only on seed, epoch and item") {
  std::vector<int> offsets(118);
  int flips = 0;
  for (std::uint64_t item = 0; item < 5000; ++item) {
    const auto how = random_crop({341, 256}, 224, 5, 1, item);
    REQUIRE(how.window.x >= 0);
    REQUIRE(how.window.x <= 117);
    REQUIRE(how.window.y >= 0);
    REQUIRE(how.window.y <= 32);
    ++offsets[static_cast<std::size_t>(how.window.x)];
    flips += how.flip ? 1 : 0;
  }
  CHECK(*std::min_element(offsets.begin(), offsets.end()) > 0);
  CHECK(std::abs(flips - 2500) < 180);  // five standard deviations
  CHECK(random_crop({341, 256}, 224, 5, 1, 9).window ==
        random_crop({341, 256}, 224, 5, 1, 9).window);
  CHECK(random_crop({341, 256}, 224, 5, 1, 9).window !=
        random_crop({341, 256}, 224, 5, 2, 9).window);
}

TEST_CASE("augment: flip mirrors the normalised planes") {
  const auto pixels = random_pixels({3, 3});
  std::vector<float> plain(27);
  std::vector<float> flipped(27);
  normalise_rgb(pixels, 3, false, plain);
  normalise_rgb(pixels, 3, true, flipped);
  CHECK(plain[0] == test::approx((pixels[0] / 255.0 - 0.485) / 0.229));
  CHECK(plain[9] == test::approx((pixels[1] / 255.0 - 0.456) / 0.224));
  for (std::size_t row = 0; row < 9; ++row) {
    CHECK(plain[row * 3] == flipped[row * 3 + 2]);
    CHECK(plain[row * 3 + 1] == flipped[row * 3 + 1]);
  }
}
