#include "kernels/data/image_writer.h"

#include <fmt/format.h>

#include "kernels/stopwatch.h"

namespace rightsize {

namespace {

// Dense RGB rows to blue, green, red planes.
void to_bgr_planes(std::span<const std::uint8_t> rgb, std::vector<std::byte>& planes) {
  const auto count = rgb.size() / 3;
  planes.resize(rgb.size());
  auto* __restrict blue = reinterpret_cast<std::uint8_t*>(planes.data());
  auto* __restrict green = blue + count;
  auto* __restrict red = green + count;
  for (std::size_t i = 0; i < count; ++i) {
    red[i] = rgb[3 * i];
    green[i] = rgb[3 * i + 1];
    blue[i] = rgb[3 * i + 2];
  }
}

}  // namespace

ImageConverter::ImageConverter(DataFormat output, int side)
    : output_(output),
      side_(side),
      pixels_(static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * 3) {}

ItemSeconds ImageConverter::convert(const Sample& sample, std::vector<std::byte>& stored) {
  if (sample.encoding != Encoding::jpeg) {
    throw DataError("already raw pixels; preprocess a dataset of JPEGs");
  }
  const Stopwatch watch;
  const auto size = decoder_.open(sample.bytes);
  const int denominator = reduction_for(size, side_);
  const auto small = reduced(size, denominator);
  const auto picture = decoder_.decode({0, 0, small.width, small.height}, denominator);
  ItemSeconds seconds;
  seconds.decode = watch.seconds();
  resizer_.resize(picture, {side_, side_}, {0, 0, side_, side_}, pixels_);
  if (output_ == DataFormat::lmdb) {
    to_bgr_planes(pixels_, stored);
  } else {
    const auto jpeg = encoder_.encode({pixels_.data(), {side_, side_}, side_ * 3}, 95);
    stored.assign(jpeg.begin(), jpeg.end());
  }
  seconds.augment = watch.seconds() - seconds.decode;
  return seconds;
}

ImageWriter::ImageWriter(DataFormat output, const std::string& path) {
  if (output == DataFormat::lmdb) {
    lmdb_ = std::make_unique<LmdbWriter>(path);
  } else if (output == DataFormat::recordio) {
    records_.emplace(path);
  } else {
    throw DataError(
        fmt::format("cannot write {} to {}; choose lmdb or recordio", to_string(output), path));
  }
}

void ImageWriter::put(std::span<const std::byte> stored,
                      std::int32_t label,
                      int side,
                      std::string_view name) {
  if (lmdb_) {
    lmdb_->put({stored, Encoding::raw_chw, label, 3, side, side}, name);
  } else {
    records_->put(stored, static_cast<float>(label));
  }
}

void ImageWriter::sync() {
  if (lmdb_) {
    lmdb_->commit();
  } else {
    records_->sync();
  }
}

std::uint64_t ImageWriter::bytes_written() const {
  return lmdb_ ? lmdb_->bytes_written() : records_->bytes_written();
}

}  // namespace rightsize
