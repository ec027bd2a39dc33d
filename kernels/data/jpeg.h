// JPEG decode and encode by libjpeg-turbo's scanline interface, which, unlike TurboJPEG's, can
// leave out the rows and columns that a crop does not need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/data/image.h"

namespace rightsize {

struct JpegOptions {
  // The "fast" DCT and box instead of triangle chroma upsampling: about 3 % quicker, 37-39 dB PSNR
  // against the exact ones (tests/kernels/data/jpeg_test.cpp). Off: the pixels OpenCV and Caffe
  // see.
  bool fast = false;
  bool partial = true;  // skip rows and columns outside the region; false: decode all, as others do
};

// One decompressor with its buffers, reused from image to image: one per thread.
class JpegDecoder {
 public:
  explicit JpegDecoder(const JpegOptions& options = {});
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;
  ~JpegDecoder();

  // Starts an image: reads its header. `jpeg` must outlive the decode. Throws DataError.
  Size open(std::span<const std::byte> jpeg);

  // Decodes to RGB at 1/`denominator` (1, 2, 4, 8) of the size, at least the part `region`, given
  // in pixels of that reduced image. The view is valid until the next open(). Throws DataError.
  ImagePart decode(const Region& region, int denominator = 1);

  // The whole image.
  ImagePart decode();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The size of an image decoded at 1/denominator: libjpeg rounds up.
[[nodiscard]] Size reduced(const Size& size, int denominator);

// RGB to baseline JPEG with 4:2:0 chroma; one per thread.
class JpegEncoder {
 public:
  JpegEncoder();
  JpegEncoder(const JpegEncoder&) = delete;
  JpegEncoder& operator=(const JpegEncoder&) = delete;
  ~JpegEncoder();

  // The bytes are valid until the next call.
  std::span<const std::byte> encode(const ImageView& image, int quality);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rightsize
