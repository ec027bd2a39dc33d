// One training item from its stored bytes: decode, resize, crop, flip, normalise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/data/augment.h"
#include "kernels/data/dataset.h"
#include "kernels/data/jpeg.h"
#include "kernels/data/resize.h"
#include "kernels/pictures.h"

namespace rightsize {

// How one item is drawn; see random_crop().
struct Draw {
  bool augment = true;  // false: the centre crop
  std::uint64_t seed = 1;
  std::uint64_t epoch = 0;
  std::uint64_t item = 0;
};

struct ItemSeconds {
  double decode = 0;
  double augment = 0;
};

// The largest reduction 1, 2, 4 or 8 that leaves the shorter side at least `side`: what libjpeg can
// leave out of the inverse DCT for free.
[[nodiscard]] int reduction_for(const Size& size, int side);

// Holds every buffer it needs: one per thread, no allocation in steady state.
class ItemMaker {
 public:
  // `channels`: 3, or 1 for data sets of grey pictures.
  ItemMaker(int resize, int crop, int channels = 3, const JpegOptions& options = {});

  // Fills `planes` (channels x crop x crop floats, red first). A raw picture is cropped as it is
  // stored; a grey one is never flipped, as most of them are signs.
  // Throws DataError; the caller knows which item it was.
  ItemSeconds make(const Sample& sample, const Draw& draw, std::span<float> planes);

  // Decodes only: appends the piece that the crop needs to `pixels` (at most picture_bytes()) and
  // says in `picture` what is left to be done for the very values that make() gives.
  ItemSeconds make_picture(const Sample& sample,
                           const Draw& draw,
                           std::vector<std::uint8_t>& pixels,
                           Picture& picture);

 private:
  ItemSeconds picture_from_jpeg(const Sample& sample,
                                const Draw& draw,
                                std::vector<std::uint8_t>& pixels,
                                Picture& picture);
  ItemSeconds picture_from_planes(const Sample& sample,
                                  const Draw& draw,
                                  std::vector<std::uint8_t>& pixels,
                                  Picture& picture);
  void check_channels(const Sample& sample) const;
  [[nodiscard]] Augmentation choose_in_planes(const Sample& sample, const Draw& draw) const;
  ItemSeconds make_from_jpeg(const Sample& sample, const Draw& draw, std::span<float> planes);
  ItemSeconds make_from_planes(const Sample& sample, const Draw& draw, std::span<float> planes);
  [[nodiscard]] Augmentation choose(const Size& picture, const Draw& draw) const;

  int resize_;
  int crop_;
  int channels_;
  JpegDecoder decoder_;
  Resizer resizer_;
  std::vector<std::uint8_t> cropped_;
};

}  // namespace rightsize
