// The half of ItemMaker that leaves resizing, cropping and normalising to the engine.
#include <algorithm>

#include "kernels/data/item.h"
#include "kernels/stopwatch.h"

namespace rightsize {
namespace {

// What is left to do for a piece whose pixels are about to be appended, all strides but its own.
Picture picture_of(const Region& piece, const Size& whole, const Size& target) {
  Picture picture;
  picture.region_x = piece.x;
  picture.region_y = piece.y;
  picture.whole_width = whole.width;
  picture.whole_height = whole.height;
  picture.target_width = target.width;
  picture.target_height = target.height;
  return picture;
}

void set_window(const Augmentation& how, Picture& picture) {
  picture.window_x = how.window.x;
  picture.window_y = how.window.y;
  picture.flip = how.flip ? 1 : 0;
}

// Dense rows of red, green and blue.
void append_rows(const ImagePart& part,
                 const Region& piece,
                 std::vector<std::uint8_t>& pixels,
                 Picture& picture) {
  picture.first = static_cast<std::int64_t>(pixels.size());
  picture.channel_stride = 1;
  picture.pixel_stride = 3;
  picture.row_stride = 3 * piece.width;
  for (int y = 0; y < piece.height; ++y) {
    const auto* const row =
        part.view.row(piece.y - part.region.y + y) + 3 * (piece.x - part.region.x);
    pixels.insert(pixels.end(), row, row + picture.row_stride);
  }
}

}  // namespace

ItemSeconds ItemMaker::make_picture(const Sample& sample,
                                    const Draw& draw,
                                    std::vector<std::uint8_t>& pixels,
                                    Picture& picture) {
  check_channels(sample);
  return sample.encoding == Encoding::jpeg ? picture_from_jpeg(sample, draw, pixels, picture)
                                           : picture_from_planes(sample, draw, pixels, picture);
}

// Where even the largest reduction leaves more than there is room for, the crop is made here.
ItemSeconds ItemMaker::picture_from_jpeg(const Sample& sample,
                                         const Draw& draw,
                                         std::vector<std::uint8_t>& pixels,
                                         Picture& picture) {
  const Stopwatch watch;
  const auto stored = decoder_.open(sample.bytes);
  const auto target = with_shorter_side(stored, resize_);
  const auto how = choose(target, draw);
  const int denominator = reduction_for(stored, resize_);
  const auto whole = reduced(stored, denominator);
  const auto piece = source_region(whole, target, how.window);
  const auto part = decoder_.decode(piece, denominator);
  ItemSeconds seconds;
  seconds.decode = watch.seconds();
  const auto bytes = std::size_t{3} * static_cast<std::size_t>(piece.width) *
                     static_cast<std::size_t>(piece.height);
  if (bytes <= picture_bytes(crop_, channels_)) {
    picture = picture_of(piece, whole, target);
    append_rows(part, piece, pixels, picture);
    set_window(how, picture);
  } else {
    resizer_.resize(part, target, how.window, cropped_);
    const Region all{0, 0, crop_, crop_};
    const ImagePart crop{{cropped_.data(), {crop_, crop_}, 3 * crop_}, all, {crop_, crop_}};
    picture = picture_of(all, crop.whole, crop.whole);
    append_rows(crop, all, pixels, picture);
    set_window({all, how.flip}, picture);
  }
  seconds.augment = watch.seconds() - seconds.decode;
  return seconds;
}

// A stored plane is not resized; a crop of it reads one neighbour more at its far sides.
ItemSeconds ItemMaker::picture_from_planes(const Sample& sample,
                                           const Draw& draw,
                                           std::vector<std::uint8_t>& pixels,
                                           Picture& picture) {
  const Stopwatch watch;
  const auto how = choose_in_planes(sample, draw);
  const Size whole{sample.width, sample.height};
  const auto piece = source_region(whole, whole, how.window);
  const auto area = piece.width * piece.height;
  picture = picture_of(piece, whole, whole);
  picture.first = static_cast<std::int64_t>(pixels.size());
  picture.pixel_stride = 1;
  picture.row_stride = piece.width;
  picture.channel_stride = area;
  set_window(how, picture);
  const auto* const planes = reinterpret_cast<const std::uint8_t*>(sample.bytes.data());
  for (int c = 0; c < channels_; ++c) {
    for (int y = 0; y < piece.height; ++y) {
      const auto* const row =
          planes + (static_cast<std::ptrdiff_t>(c) * whole.height + piece.y + y) * whole.width +
          piece.x;
      pixels.insert(pixels.end(), row, row + piece.width);
    }
  }
  if (channels_ == 3 && sample.encoding == Encoding::raw_chw) {  // blue first: red is the last
    picture.first += 2 * std::int64_t{area};
    picture.channel_stride = -area;
  }
  return {0, watch.seconds()};
}

}  // namespace rightsize
