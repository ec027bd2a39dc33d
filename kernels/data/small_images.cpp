#include "kernels/data/small_images.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "kernels/data/augment.h"

namespace rightsize {
namespace {

constexpr double pi = std::numbers::pi;

// A stream of numbers for one picture.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t index) : state_(mix(mix(seed) ^ index)) {}

  double uniform(double low, double high) {
    state_ = mix(state_);
    return low + (high - low) * static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  // The sum of four has a bell's form and no tails.
  double bell(double deviation) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
      sum += uniform(-1, 1);
    }
    return deviation * sum * std::sqrt(0.75);
  }

 private:
  std::uint64_t state_;
};

struct Point {
  double x = 0;
  double y = 0;
};

double distance_to_stroke(Point p, Point a, Point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double along =
      std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return std::hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

// The corners of a digit of seven segments, in units of half its height.
constexpr std::array<Point, 6> corners{
    {{-0.5, -1}, {0.5, -1}, {-0.5, 0}, {0.5, 0}, {-0.5, 1}, {0.5, 1}}};
constexpr std::array<std::array<int, 2>, 7> segments{
    {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 5}, {4, 5}}};
// By digit: which segments are drawn, from the first (lowest bit) on.
constexpr std::array<unsigned, 10> strokes{0b1110111,
                                           0b0100100,
                                           0b1011101,
                                           0b1101101,
                                           0b0101110,
                                           0b1101011,
                                           0b1111011,
                                           0b0100101,
                                           0b1111111,
                                           0b1101111};

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

struct Pose {
  double angle, shear, scale, x, y;

  [[nodiscard]] Point back(double px, double py) const {
    const double u = (px - x) / scale;
    const double v = (py - y) / scale;
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    const double ru = c * u + s * v;
    const double rv = -s * u + c * v;
    return {ru + shear * rv, rv};
  }
};

// Fully saturated colour of a hue in turns.
std::array<double, 3> colour_of(double hue) {
  std::array<double, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c) {
    rgb[c] = 127.5 + 127.5 * std::cos(2 * pi * (hue - static_cast<double>(c) / 3));
  }
  return rgb;
}

}  // namespace

void paint_digit(std::uint64_t seed,
                 std::uint64_t index,
                 int digit,
                 std::span<std::uint8_t> pixels) {
  Draws draws(seed, index);
  const Pose pose{.angle = draws.bell(0.12),
                  .shear = draws.bell(0.18),
                  .scale = draws.uniform(7.5, 10),
                  .x = 14 + draws.bell(1.2),
                  .y = 14 + draws.bell(1.2)};
  const double thickness = draws.uniform(0.14, 0.26);
  std::array<Point, corners.size()> moved = corners;
  for (auto& corner : moved) {
    corner.x += draws.bell(0.06);
    corner.y += draws.bell(0.06);
  }
  for (int y = 0; y < mnist_side; ++y) {
    for (int x = 0; x < mnist_side; ++x) {
      const auto p = pose.back(x, y);
      double nearest = 10;
      for (std::size_t s = 0; s < segments.size(); ++s) {
        if ((strokes[static_cast<std::size_t>(digit)] >> s & 1U) != 0) {
          const auto [from, to] = segments[s];
          nearest = std::min(
              nearest,
              distance_to_stroke(
                  p, moved[static_cast<std::size_t>(from)], moved[static_cast<std::size_t>(to)]));
        }
      }
      const double ink = 1 / (1 + std::exp((nearest - thickness) * 30));  // a soft edge
      pixels[static_cast<std::size_t>(y * mnist_side + x)] = to_byte(255 * ink + draws.bell(12));
    }
  }
}

void paint_object(std::uint64_t seed,
                  std::uint64_t index,
                  int label,
                  int classes,
                  std::span<std::uint8_t> planes) {
  Draws draws(seed, index);
  const double share = static_cast<double>(label) / classes;
  const auto object = colour_of(share + draws.bell(0.25 / classes));
  const auto ground = colour_of(draws.uniform(0, 1));
  const double slope = draws.uniform(0, 2 * pi);
  const double stripes = 0.5 + (label % 3) * 0.35;  // radians per pixel
  const double direction = pi * share + draws.bell(0.1);
  const Point centre{16 + draws.bell(3), 16 + draws.bell(3)};
  const double radius = draws.uniform(8, 13);
  const double light = draws.uniform(0.6, 1);
  constexpr std::size_t plane = cifar_side * cifar_side;
  for (int y = 0; y < cifar_side; ++y) {
    for (int x = 0; x < cifar_side; ++x) {
      const double shade = 0.5 + 0.02 * ((x - 16) * std::cos(slope) + (y - 16) * std::sin(slope));
      const double inside = 1 / (1 + std::exp(std::hypot(x - centre.x, y - centre.y) - radius));
      const double stripe =
          0.7 + 0.3 * std::sin(stripes * (x * std::cos(direction) + y * std::sin(direction)));
      for (std::size_t c = 0; c < 3; ++c) {
        const double colour =
            inside * stripe * object[c] + (1 - inside) * shade * (0.3 * ground[c] + 90);
        planes[c * plane + static_cast<std::size_t>(y * cifar_side + x)] =
            to_byte(light * colour + draws.bell(14));
      }
    }
  }
}

}  // namespace rightsize
