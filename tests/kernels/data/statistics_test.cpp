// The generated pictures against what is known of photographs.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <doctest/doctest.h>

#include "kernels/data/jpeg.h"
#include "kernels/data/scene.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

constexpr int side = 256;
using Complex = std::complex<double>;

// Radix-2 decimation in time, in place; `stride` apart.
void transform(Complex* data, int count, int stride) {
  for (int i = 1, j = 0; i < count; ++i) {
    int bit = count >> 1;
    for (; (j & bit) != 0; bit >>= 1) {
      j ^= bit;
    }
    j ^= bit;
    if (i < j) {
      std::swap(data[i * stride], data[j * stride]);
    }
  }
  for (int length = 2; length <= count; length *= 2) {
    const auto step = std::polar(1.0, -2 * std::numbers::pi / length);
    for (int begin = 0; begin < count; begin += length) {
      Complex turn = 1;
      for (int k = begin; k < begin + length / 2; ++k, turn *= step) {
        auto& low = data[k * stride];
        auto& high = data[(k + length / 2) * stride];
        const auto odd = high * turn;
        high = low - odd;
        low += odd;
      }
    }
  }
}

// Adds the power of the centre of `image` to the sums by whole cycles per window.
void add_spectrum(const ImageView& image, std::vector<double>& power) {
  std::vector<Complex> field(side * side);
  const int left = (image.size.width - side) / 2;
  const int top = (image.size.height - side) / 2;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const auto* p = image.row(top + y) + 3 * (left + x);
      const auto hann = [](int i) { return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * i / side); };
      field[static_cast<std::size_t>(y * side + x)] =
          (0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2] - 118) * hann(x) * hann(y);
    }
  }
  for (int i = 0; i < side; ++i) {
    transform(field.data() + i * side, side, 1);
  }
  for (int i = 0; i < side; ++i) {
    transform(field.data() + i, side, side);
  }
  std::vector<double> sum(side / 2);
  std::vector<int> count(side / 2);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const auto radius = static_cast<std::size_t>(
          std::lround(std::hypot(std::min(x, side - x), std::min(y, side - y))));
      if (radius < sum.size()) {
        sum[radius] += std::norm(field[static_cast<std::size_t>(y * side + x)]);
        ++count[radius];
      }
    }
  }
  for (std::size_t i = 1; i < power.size(); ++i) {
    power[i] += sum[i] / count[i];
  }
}

// Least squares of log power on log frequency.
double slope(const std::vector<double>& power, std::size_t low, std::size_t high) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = low; i <= high; ++i) {
    const double x = std::log(static_cast<double>(i));
    const double y = std::log(power[i]);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

// Photographs have amplitude ~ 1/f, that is power ~ f^-2 (Field 1987); over scenes the exponent of
// the power spectrum is -2 +- 0.4 or so (Torralba and Oliva 2003: amplitude exponents of 0.8 to 1.3
// by category and orientation). Fitted from 4 to 48 cycles per 256 pixels: the window's shape
// disturbs lower ones, sensor noise fills higher ones, as in a camera's picture.
TEST_CASE("scene: the power spectrum falls as the square of the frequency") {
  const ScenePainter painter(1, 10);
  std::vector<double> power(side / 2);
  std::vector<std::uint8_t> pixels;
  for (std::uint64_t i = 0; i < 24; ++i) {
    add_spectrum(painter.paint(i, static_cast<int>(i % 10), pixels), power);
  }
  const double measured = slope(power, 4, 48);
  MESSAGE("slope of the power spectrum: " << measured);
  CHECK(measured > -2.6);
  CHECK(measured < -1.6);
}

TEST_CASE("scene: a JPEG of quality 95 has ImageNet's 110 kB on average") {
  const ScenePainter painter(1, 10);
  JpegEncoder encoder;
  std::vector<std::uint8_t> pixels;
  double bytes = 0;
  constexpr int count = 120;
  for (int i = 0; i < count; ++i) {
    bytes += static_cast<double>(
        encoder.encode(painter.paint(static_cast<std::uint64_t>(i), i % 10, pixels), 95).size());
  }
  MESSAGE("mean JPEG bytes: " << bytes / count);
  CHECK(bytes / count > 95e3);
  CHECK(bytes / count < 125e3);
}

TEST_CASE("scene: sizes are ImageNet's mixture") {
  int usual = 0;
  int portrait = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const auto size = imagenet_like_size(i);
    usual += size == Size{500, 375} ? 1 : 0;
    portrait += size.height > size.width ? 1 : 0;
  }
  CHECK(usual == test::approx(1000).epsilon(0.1));
  CHECK(portrait == test::approx(440).epsilon(0.15));
}

// The nearest mean colour of the middle, learnt from ten pictures a class: if that little tells
// four classes apart, a network's first layer will.
TEST_CASE("scene: the class can be learnt") {
  const ScenePainter painter(1, 4);
  std::vector<std::uint8_t> pixels;
  const auto colour = [&](std::uint64_t index, int label) {
    const auto image = painter.paint(index, label, pixels);
    std::array<double, 3> mean{};
    for (int y = -20; y < 20; ++y) {
      for (int x = -20; x < 20; ++x) {
        const auto* p = image.row(image.size.height / 2 + y) + 3 * (image.size.width / 2 + x);
        const double sum = p[0] + p[1] + p[2] + 1;
        for (std::size_t c = 0; c < 3; ++c) {
          mean[c] += p[c] / sum / 1600;
        }
      }
    }
    return mean;
  };
  std::array<std::array<double, 3>, 4> centres{};
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto mean = colour(i, static_cast<int>(i % 4));
    for (std::size_t c = 0; c < 3; ++c) {
      centres[i % 4][c] += mean[c] / 10;
    }
  }
  int right = 0;
  for (std::uint64_t i = 100; i < 140; ++i) {
    const auto mean = colour(i, static_cast<int>(i % 4));
    const auto distance = [&](const std::array<double, 3>& centre) {
      return std::hypot(mean[0] - centre[0], mean[1] - centre[1], mean[2] - centre[2]);
    };
    const auto nearest = std::min_element(centres.begin(), centres.end(), [&](auto& a, auto& b) {
      return distance(a) < distance(b);
    });
    right += nearest - centres.begin() == static_cast<std::ptrdiff_t>(i % 4) ? 1 : 0;
  }
  MESSAGE("right: " << right << " of 40; by chance 10");
  CHECK(right >= 30);
}
