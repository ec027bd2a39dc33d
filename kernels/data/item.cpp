#include "kernels/data/item.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/stopwatch.h"

namespace rightsize {

namespace {

PlaneOrder order_of(const Sample& sample) {
  if (sample.channels == 1) {
    return PlaneOrder::grey;
  }
  return sample.encoding == Encoding::raw_chw ? PlaneOrder::bgr : PlaneOrder::rgb;
}

}  // namespace

int reduction_for(const Size& size, int side) {
  for (const int denominator : {8, 4, 2}) {
    const auto small = reduced(size, denominator);
    if (std::min(small.width, small.height) >= side) {
      return denominator;
    }
  }
  return 1;
}

ItemMaker::ItemMaker(int resize, int crop, int channels, const JpegOptions& options)
    : resize_(resize),
      crop_(crop),
      channels_(channels),
      decoder_(options),
      cropped_(static_cast<std::size_t>(crop) * static_cast<std::size_t>(crop) * 3) {
  if (crop < 1 || resize < crop) {
    throw DataError(
        fmt::format("a crop of {} pixels from a picture resized to {}: the crop must be "
                    "the smaller one",
                    crop,
                    resize));
  }
}

void ItemMaker::check_channels(const Sample& sample) const {
  const int channels = sample.encoding == Encoding::jpeg ? 3 : sample.channels;
  if (channels != channels_) {
    throw DataError(
        fmt::format("a picture of {} channels for a network that reads {}; choose a "
                    "data set that fits the network",
                    channels,
                    channels_));
  }
}

ItemSeconds ItemMaker::make(const Sample& sample, const Draw& draw, std::span<float> planes) {
  check_channels(sample);
  return sample.encoding == Encoding::jpeg ? make_from_jpeg(sample, draw, planes)
                                           : make_from_planes(sample, draw, planes);
}

Augmentation ItemMaker::choose(const Size& picture, const Draw& draw) const {
  return draw.augment ? random_crop(picture, crop_, draw.seed, draw.epoch, draw.item)
                      : centre_crop(picture, crop_);
}

ItemSeconds ItemMaker::make_from_jpeg(const Sample& sample,
                                      const Draw& draw,
                                      std::span<float> planes) {
  const Stopwatch watch;
  const auto stored = decoder_.open(sample.bytes);
  const auto target = with_shorter_side(stored, resize_);
  const auto how = choose(target, draw);
  const int denominator = reduction_for(stored, resize_);
  const auto region = source_region(reduced(stored, denominator), target, how.window);
  const auto part = decoder_.decode(region, denominator);
  ItemSeconds seconds;
  seconds.decode = watch.seconds();
  resizer_.resize(part, target, how.window, cropped_);
  normalise_rgb(cropped_, crop_, how.flip, planes);
  seconds.augment = watch.seconds() - seconds.decode;
  return seconds;
}

// Most grey pictures are signs: they are never flipped.
Augmentation ItemMaker::choose_in_planes(const Sample& sample, const Draw& draw) const {
  const Size picture{sample.width, sample.height};
  if (std::min(picture.width, picture.height) < crop_) {
    throw DataError(
        fmt::format("a picture of {} x {} has no crop of {} x {}; make the data set with larger "
                    "pictures or choose a smaller crop",
                    sample.height,
                    sample.width,
                    crop_,
                    crop_));
  }
  auto how = choose(picture, draw);
  how.flip = how.flip && channels_ == 3;
  return how;
}

ItemSeconds ItemMaker::make_from_planes(const Sample& sample,
                                        const Draw& draw,
                                        std::span<float> planes) {
  const Stopwatch watch;
  const auto how = choose_in_planes(sample, draw);
  const std::span pixels(reinterpret_cast<const std::uint8_t*>(sample.bytes.data()),
                         sample.bytes.size());
  normalise_planes(pixels, {sample.width, sample.height}, order_of(sample), how, planes);
  return {0, watch.seconds()};
}

}  // namespace rightsize
