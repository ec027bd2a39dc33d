// pictures.cu against the loader's own threads: the same items, preprocessed there and here.
#include <cmath>
#include <cstddef>

#include <doctest/doctest.h>

#include "kernels/data/item.h"
#include "kernels/data/jpeg.h"
#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/picture_kernels.h"

namespace rightsize::test {
namespace {

constexpr int crop = 13;
constexpr int resize = 15;
constexpr double level = 1 / (255 * 0.224);  // one of 255, normalised, at most

std::vector<std::byte> noise(std::size_t count, std::uint64_t seed) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>(mix(mix(seed) + i));
  }
  return bytes;
}

std::vector<std::byte> jpeg_of(int width, int height) {
  const auto rows = noise(static_cast<std::size_t>(width * height * 3), 5);
  JpegEncoder encoder;
  const auto bytes = encoder.encode(
      {reinterpret_cast<const std::uint8_t*>(rows.data()), {width, height}, 3 * width}, 90);
  return {bytes.begin(), bytes.end()};
}

// Items made by the CPU into NHWC, and by the emulated kernel; how far they are apart.
double distance(const std::vector<Sample>& samples, int channels, gpu::ElementType type) {
  ItemMaker maker(resize, crop, channels);
  const auto items = static_cast<std::int64_t>(samples.size());
  const auto elements = static_cast<std::size_t>(channels) * crop * crop;
  std::vector<std::uint8_t> pixels;
  std::vector<Picture> pictures(samples.size());
  std::vector<float> planes(samples.size() * elements);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Draw draw{true, 3, 1, i};
    maker.make(samples[i], draw, std::span(planes).subspan(i * elements, elements));
    const auto before = pixels.size();
    maker.make_picture(samples[i], draw, pixels, pictures[i]);
    CHECK(pixels.size() - before <= picture_bytes(crop, channels));
  }
  const gpu::TensorShape shape{items, crop, crop, channels};
  const DeviceArray<std::uint8_t> on_device(pixels);
  const DeviceArray<Picture> jobs(pictures);
  const DeviceTensor out(type, shape.elements());
  gpu::launch_pictures(jobs.data(), on_device.data(), out.data(), type, shape, nullptr);
  const auto values = out.values();
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto c = i % static_cast<std::size_t>(channels);
    const auto at = i / static_cast<std::size_t>(channels) % (crop * crop);
    const auto item = i / elements;
    const double expected = planes[item * elements + c * crop * crop + at];
    worst = std::fmax(worst, std::isnan(values[i]) ? 1e9 : std::abs(values[i] - expected));
  }
  return worst;
}

TEST_CASE("emulated kernels: JPEG pictures of all sizes become what the loader's threads make") {
  std::vector<std::vector<std::byte>> stored;
  for (auto [width, height] :
       {std::pair{40, 31}, {15, 15}, {9, 30}, {200, 16}, {1, 3}, {33, 150}}) {
    stored.push_back(jpeg_of(width, height));
  }
  std::vector<Sample> samples;
  for (const auto& bytes : stored) {
    samples.push_back({bytes, Encoding::jpeg});
  }
  CHECK(distance(samples, 3, gpu::ElementType::f32) < 1.01 * level);
  CHECK(distance(samples, 3, gpu::ElementType::f16) < 1.2 * level);
  CHECK(distance(samples, 3, gpu::ElementType::bf16) < 2 * level);
}

TEST_CASE(
    "emulated kernels: raw pictures, blue or red first or grey, are cropped to the very values") {
  const auto colour = noise(3 * 20 * 17, 6);
  const auto grey = noise(20 * 17, 7);
  Sample sample;
  sample.bytes = colour;
  sample.width = 20;
  sample.height = 17;
  sample.channels = 3;
  for (const auto encoding : {Encoding::raw_chw, Encoding::raw_rgb_chw}) {
    sample.encoding = encoding;
    CHECK(distance({sample, sample, sample, sample}, 3, gpu::ElementType::f32) < 1e-6);
  }
  sample.bytes = grey;
  sample.channels = 1;
  CHECK(distance({sample, sample, sample}, 1, gpu::ElementType::f32) < 1e-6);
}

TEST_CASE(
    "emulated kernels: a piece larger than its room is resized on the CPU and still cropped") {
  // Reduced by 8 its shorter side is still far above 15.
  const auto large = jpeg_of(900, 700);
  CHECK(distance({Sample{large, Encoding::jpeg}}, 3, gpu::ElementType::f32) < 1e-6);
}

}  // namespace
}  // namespace rightsize::test
