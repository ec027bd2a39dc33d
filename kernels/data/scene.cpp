#include "kernels/data/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "kernels/data/augment.h"

namespace rightsize {

namespace {

constexpr int texture_bits = 10;
constexpr int texture_side = 1 << texture_bits;
constexpr int texture_mask = texture_side - 1;
constexpr std::size_t noise_count = 1 << 16;
constexpr int leaves_per_picture = 220;
constexpr double smallest_radius = 0.006;  // of the longer side
constexpr double largest_radius = 0.45;
constexpr float noise_deviation = 7.3F;  // grey levels: sets the JPEG bytes (110 kB at quality 95)

// A stream of random numbers from one seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() { return state_ = mix(state_); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * uniform(); }
  double normal() {  // Box and Muller 1958
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_;
};

std::int8_t to_level(double value) {
  return static_cast<std::int8_t>(std::clamp(std::lround(value), -127L, 127L));
}

std::uint8_t to_pixel(float value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F));
}

// Adds value noise with `cells` cells a side: random values on a grid, smoothly interpolated.
void add_octave(Random& random, int cells, double amplitude, std::vector<float>& field) {
  std::vector<float> grid(static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells));
  for (auto& value : grid) {
    value = static_cast<float>(amplitude * random.normal());
  }
  const int cell = texture_side / cells;
  const auto at = [&](int x, int y) {
    return grid[static_cast<std::size_t>((y & (cells - 1)) * cells + (x & (cells - 1)))];
  };
  for (int y = 0; y < texture_side; ++y) {
    const float v = static_cast<float>(y % cell) / static_cast<float>(cell);
    const float smooth_v = v * v * (3 - 2 * v);
    for (int x = 0; x < texture_side; ++x) {
      const float u = static_cast<float>(x % cell) / static_cast<float>(cell);
      const float smooth_u = u * u * (3 - 2 * u);
      const int i = x / cell;
      const int j = y / cell;
      const float top = std::lerp(at(i, j), at(i + 1, j), smooth_u);
      const float bottom = std::lerp(at(i, j + 1), at(i + 1, j + 1), smooth_u);
      field[static_cast<std::size_t>(y * texture_side + x)] += std::lerp(top, bottom, smooth_v);
    }
  }
}

std::vector<std::int8_t> make_texture(Random random) {
  std::vector<float> field(static_cast<std::size_t>(texture_side) * texture_side);
  for (int cells = 4; cells <= texture_side / 2; cells *= 2) {
    add_octave(random, cells, 16, field);
  }
  std::vector<std::int8_t> texture(field.size());
  std::transform(field.begin(), field.end(), texture.begin(), to_level);
  return texture;
}

std::vector<std::int8_t> make_noise(Random random) {
  std::vector<std::int8_t> noise(noise_count);
  std::generate(
      noise.begin(), noise.end(), [&] { return to_level(noise_deviation * random.normal()); });
  return noise;
}

// A hue at full strength mixed with grey, around a brightness.
std::array<float, 3> make_colour(double hue, double strength, double brightness) {
  std::array<float, 3> colour{};
  for (int c = 0; c < 3; ++c) {
    const double angle = 2 * std::numbers::pi * (hue - c / 3.0);
    colour[static_cast<std::size_t>(c)] =
        static_cast<float>(brightness * (1 + strength * std::cos(angle)));
  }
  return colour;
}

}  // namespace

Size imagenet_like_size(std::uint64_t random) {
  struct Share {
    Size size;
    int percent;
  };
  constexpr Share shares[] = {{{500, 375}, 50},
                              {{375, 500}, 16},
                              {{500, 333}, 14},
                              {{333, 500}, 6},
                              {{500, 400}, 4},
                              {{400, 300}, 4},
                              {{640, 480}, 4},
                              {{800, 600}, 1},
                              {{1024, 768}, 1}};
  int left = static_cast<int>(mix(random) % 100);
  for (const auto& share : shares) {
    left -= share.percent;
    if (left < 0) {
      return share.size;
    }
  }
  return shares[0].size;
}

struct ScenePainter::Leaf {
  // Anywhere in the picture, of any look; `of_longer_side`: its radius.
  Leaf(Random& random, const Size& size, double of_longer_side)
      : radius(of_longer_side * std::max(size.width, size.height)) {
    x = random.uniform() * size.width;
    y = random.uniform() * size.height;
    stretch = random.between(1, 2.5);
    angle = random.between(0, std::numbers::pi);
    zoom = random.between(0.4, 1.6);
    contrast = random.between(0.1, 0.8);
    shading = random.between(-0.3, 0.3);
    colour = make_colour(random.uniform(), random.between(0, 0.35), random.between(30, 210));
    texture_x = static_cast<std::uint32_t>(random.bits() & texture_mask);
    texture_y = static_cast<std::uint32_t>(random.bits() & texture_mask);
  }

  double x = 0;  // centre, pixels
  double y = 0;
  double radius = 0;
  double stretch = 1;  // of the axis at `angle`
  double angle = 0;
  double zoom = 1;          // texture pixels per picture pixel
  double contrast = 1;      // of the texture
  double shading = 0;       // brighter towards the top left, as under one lamp
  double stripes = 0;       // amplitude; 0: none
  double stripe_phase = 0;  // radians per pixel along the axis at `stripe_angle`
  double stripe_angle = 0;
  std::array<float, 3> colour{};
  std::uint32_t texture_x = 0;
  std::uint32_t texture_y = 0;
};

ScenePainter::ScenePainter(std::uint64_t seed, int classes)
    : seed_(seed),
      classes_(classes),
      texture_(make_texture(Random(mix(seed)))),
      noise_(make_noise(Random(mix(seed + 1)))) {}

ImageView ScenePainter::paint(std::uint64_t index,
                              int label,
                              std::vector<std::uint8_t>& pixels) const {
  Random random(mix(mix(seed_) ^ index));
  const auto size = imagenet_like_size(random.bits());
  // Set, not only resized: blending rounds by what was there before.
  pixels.assign(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) * 3,
                0);
  Leaf background(random, size, 4);
  background.stretch = 1;
  paint_leaf(background, size, pixels.data());
  // Radii with density r^-3 between the limits, by inversion of the distribution.
  const double low = 1 / (smallest_radius * smallest_radius);
  const double high = 1 / (largest_radius * largest_radius);
  for (int i = 0; i < leaves_per_picture; ++i) {
    paint_leaf(Leaf(random, size, 1 / std::sqrt(random.between(high, low))), size, pixels.data());
  }
  Leaf object(random, size, random.between(0.18, 0.26));
  const double share = static_cast<double>(label) / classes_;
  object.x = size.width * random.between(0.4, 0.6);
  object.y = size.height * random.between(0.4, 0.6);
  object.stretch = random.between(1, 1.5);
  object.colour = make_colour(share, 0.6, random.between(100, 150));
  object.stripes = 35;
  object.stripe_phase = 2 * std::numbers::pi / (8.0 + 4 * (label % 4));
  object.stripe_angle = std::numbers::pi * share + random.between(-0.1, 0.1);
  paint_leaf(object, size, pixels.data());
  add_noise(random.bits(), size, pixels.data());
  return {pixels.data(), size, static_cast<std::ptrdiff_t>(size.width) * 3};
}

void ScenePainter::paint_leaf(const Leaf& leaf, const Size& size, std::uint8_t* pixels) const {
  const auto limit = [](double value, int end) {
    return std::clamp(static_cast<int>(std::floor(value)), 0, end);
  };
  const double reach = leaf.radius * leaf.stretch + 2;
  const int left = limit(leaf.x - reach, size.width);
  const int right = limit(leaf.x + reach + 1, size.width);
  const int bottom = limit(leaf.y + reach + 1, size.height);
  const auto cosine = static_cast<float>(std::cos(leaf.angle));
  const auto sine = static_cast<float>(std::sin(leaf.angle));
  const auto radius = static_cast<float>(leaf.radius);
  const auto squeeze = static_cast<float>(1 / leaf.stretch);
  const auto zoom = static_cast<float>(leaf.zoom * 65536);
  const auto phase_x = static_cast<float>(leaf.stripe_phase * std::cos(leaf.stripe_angle));
  const auto phase_y = static_cast<float>(leaf.stripe_phase * std::sin(leaf.stripe_angle));
  const auto contrast = static_cast<float>(leaf.contrast);
  for (int y = limit(leaf.y - reach, size.height); y < bottom; ++y) {
    const auto dy = static_cast<float>(y - leaf.y);
    for (int x = left; x < right; ++x) {
      const auto dx = static_cast<float>(x - leaf.x);
      const float u = (cosine * dx + sine * dy) * squeeze;
      const float v = cosine * dy - sine * dx;
      const float square = u * u + v * v;
      if (square >= (radius + 1) * (radius + 1)) {
        continue;
      }
      // The lens: an edge two pixels wide.
      const float cover =
          square <= (radius - 1) * (radius - 1) ? 1 : (radius + 1 - std::sqrt(square)) / 2;
      const auto tx = static_cast<std::uint32_t>(static_cast<std::int32_t>(u * zoom) >> 16);
      const auto ty = static_cast<std::uint32_t>(static_cast<std::int32_t>(v * zoom) >> 16);
      const auto at = ((ty + leaf.texture_y) & texture_mask) << texture_bits |
                      ((tx + leaf.texture_x) & texture_mask);
      float level = contrast * static_cast<float>(texture_[at]);
      if (leaf.stripes != 0) {
        level += static_cast<float>(leaf.stripes) * std::sin(phase_x * dx + phase_y * dy);
      }
      const float light = 1 - static_cast<float>(leaf.shading) * (dx + dy) / (radius + radius);
      auto* pixel = pixels + 3 * (static_cast<std::ptrdiff_t>(y) * size.width + x);
      for (std::size_t c = 0; c < 3; ++c) {
        const auto old = static_cast<float>(pixel[c]);
        pixel[c] = to_pixel(old + cover * (leaf.colour[c] * light + level - old));
      }
    }
  }
}

void ScenePainter::add_noise(std::uint64_t random, const Size& size, std::uint8_t* pixels) const {
  const auto row_bytes = static_cast<std::size_t>(size.width) * 3;
  for (int y = 0; y < size.height; ++y) {
    random = mix(random);
    const auto* noise = noise_.data() + random % (noise_count - row_bytes);
    auto* row = pixels + static_cast<std::size_t>(y) * row_bytes;
    for (std::size_t i = 0; i < row_bytes; ++i) {
      row[i] = static_cast<std::uint8_t>(std::clamp(row[i] + noise[i], 0, 255));
    }
  }
}

}  // namespace rightsize
