#include "kernels/data/augment.h"

#include <algorithm>
#include <cassert>

#include "kernels/data/clones.h"

namespace rightsize {

namespace {

struct Line {
  float scale = 0;
  float offset = 0;
};

Line line(std::size_t channel) {
  const float deviation = imagenet_deviation[channel];
  return {1.0F / (255.0F * deviation), -imagenet_mean[channel] / deviation};
}

Line grey_line() {
  return {1.0F / (255.0F * mnist_deviation), -mnist_mean / mnist_deviation};
}

int below(std::uint64_t random, int bound) {
  return static_cast<int>((random >> 32) * static_cast<std::uint64_t>(bound) >> 32);
}

}  // namespace

Augmentation centre_crop(const Size& picture, int side) {
  return {{(picture.width - side) / 2, (picture.height - side) / 2, side, side}, false};
}

Augmentation random_crop(
    const Size& picture, int side, std::uint64_t seed, std::uint64_t epoch, std::uint64_t item) {
  const auto first = mix(mix(mix(seed) ^ epoch) ^ item);
  const auto second = mix(first);
  const auto third = mix(second);
  return {{below(first, picture.width - side + 1),
           below(second, picture.height - side + 1),
           side,
           side},
          (third >> 63) != 0};
}

RIGHTSIZE_AVX2_CLONE void normalise_rgb(std::span<const std::uint8_t> pixels,
                                        int side,
                                        bool flip,
                                        std::span<float> planes) {
  const auto n = static_cast<std::size_t>(side);
  assert(pixels.size() == n * n * 3 && planes.size() == n * n * 3);
  const Line r = line(0);
  const Line g = line(1);
  const Line b = line(2);
  for (std::size_t y = 0; y < n; ++y) {
    const std::uint8_t* __restrict in = pixels.data() + y * n * 3;
    float* __restrict red = planes.data() + y * n;
    float* __restrict green = red + n * n;
    float* __restrict blue = green + n * n;
    for (std::size_t x = 0; x < n; ++x) {
      red[x] = static_cast<float>(in[3 * x]) * r.scale + r.offset;
      green[x] = static_cast<float>(in[3 * x + 1]) * g.scale + g.offset;
      blue[x] = static_cast<float>(in[3 * x + 2]) * b.scale + b.offset;
    }
    if (flip) {
      std::reverse(red, red + n);
      std::reverse(green, green + n);
      std::reverse(blue, blue + n);
    }
  }
}

void normalise_planes(std::span<const std::uint8_t> source,
                      const Size& picture,
                      PlaneOrder order,
                      const Augmentation& how,
                      std::span<float> planes) {
  const auto width = static_cast<std::size_t>(picture.width);
  const auto height = static_cast<std::size_t>(picture.height);
  const auto n = static_cast<std::size_t>(how.window.width);
  const std::size_t count = order == PlaneOrder::grey ? 1 : 3;
  assert(source.size() == width * height * count && planes.size() == n * n * count);
  for (std::size_t c = 0; c < count; ++c) {
    const auto [scale, offset] = order == PlaneOrder::grey ? grey_line() : line(c);
    const auto* plane = source.data() + (order == PlaneOrder::bgr ? 2 - c : c) * width * height;
    for (std::size_t y = 0; y < n; ++y) {
      const std::uint8_t* __restrict in = plane +
                                          (static_cast<std::size_t>(how.window.y) + y) * width +
                                          static_cast<std::size_t>(how.window.x);
      float* __restrict out = planes.data() + (c * n + y) * n;
      for (std::size_t x = 0; x < n; ++x) {
        out[x] = static_cast<float>(in[x]) * scale + offset;
      }
      if (how.flip) {
        std::reverse(out, out + n);
      }
    }
  }
}

}  // namespace rightsize
