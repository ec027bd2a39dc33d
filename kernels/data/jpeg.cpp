#include "kernels/data/jpeg.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
// libjpeg's own headers need <cstdio> before them.
#include <jerror.h>
#include <jpeglib.h>

#include "kernels/data/dataset.h"

namespace rightsize {

namespace {

// libjpeg reports by callbacks and must not return from error_exit: we leave by longjmp to a frame
// that holds only plain values, and throw from there. No C++ object lives on the stack between.
struct Errors {
  jpeg_error_mgr manager{};  // first: libjpeg hands us a pointer to it
  std::jmp_buf leave{};
  char text[JMSG_LENGTH_MAX]{};
  bool damaged = false;
};

Errors& errors_of(j_common_ptr codec) {
  return *reinterpret_cast<Errors*>(codec->err);
}

void on_error(j_common_ptr codec) {
  auto& errors = errors_of(codec);
  codec->err->format_message(codec, errors.text);
  std::longjmp(errors.leave, 1);
}

// Warnings that mean missing pixels are errors to us; stray bytes between markers are not.
void on_message(j_common_ptr codec, int level) {
  auto& errors = errors_of(codec);
  const int code = codec->err->msg_code;
  if (level < 0 && !errors.damaged &&
      (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE)) {
    errors.damaged = true;
    codec->err->format_message(codec, errors.text);
  }
}

void install(Errors& errors) {
  jpeg_std_error(&errors.manager);
  errors.manager.error_exit = on_error;
  errors.manager.emit_message = on_message;
}

// Adobe writes CMYK inverted; ImageNet holds a few of these.
void cmyk_to_rgb(const std::uint8_t* cmyk, int width, std::uint8_t* rgb) {
  for (int x = 0; x < width; ++x) {
    for (int c = 0; c < 3; ++c) {
      rgb[3 * x + c] = static_cast<std::uint8_t>(cmyk[4 * x + c] * cmyk[4 * x + 3] / 255);
    }
  }
}

}  // namespace

Size reduced(const Size& size, int denominator) {
  return {(size.width + denominator - 1) / denominator,
          (size.height + denominator - 1) / denominator};
}

struct JpegDecoder::State {
  jpeg_decompress_struct codec{};
  Errors errors;
  JpegOptions options;
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> cmyk_row;

  [[noreturn]] void fail() const {
    throw DataError(
        fmt::format("not a complete JPEG image ({}); replace the file or remove it", errors.text));
  }

  // Starts the codec for `region`; on return `region` is what will really come. False: failed.
  bool start(Region& region, int denominator) {
    if (setjmp(errors.leave) != 0) {
      return false;
    }
    codec.scale_num = 1;
    codec.scale_denom = static_cast<unsigned>(denominator);
    codec.dct_method = options.fast ? JDCT_IFAST : JDCT_ISLOW;
    codec.do_fancy_upsampling = options.fast ? FALSE : TRUE;
    const bool cmyk = codec.num_components == 4;
    codec.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
    jpeg_start_decompress(&codec);
    if (options.partial && !cmyk && region.width < static_cast<int>(codec.output_width)) {
      auto x = static_cast<JDIMENSION>(region.x);
      auto width = static_cast<JDIMENSION>(region.width);
      jpeg_crop_scanline(&codec, &x, &width);
      region.x = static_cast<int>(x);
    } else {
      region.x = 0;
    }
    region.width = static_cast<int>(codec.output_width);
    return true;
  }

  // Fills `pixels` with the rows of `region` and leaves the rest of the file unread.
  bool read_rows(const Region& region) {
    if (setjmp(errors.leave) != 0) {
      return false;
    }
    if (region.y > 0) {
      jpeg_skip_scanlines(&codec, static_cast<JDIMENSION>(region.y));
    }
    const auto stride = static_cast<std::size_t>(region.width) * 3;
    const auto end = static_cast<JDIMENSION>(region.y + region.height);
    while (codec.output_scanline < end) {
      const auto done = codec.output_scanline - static_cast<JDIMENSION>(region.y);
      auto* target = pixels.data() + done * stride;
      if (codec.out_color_space == JCS_CMYK) {
        JSAMPROW row = cmyk_row.data();
        jpeg_read_scanlines(&codec, &row, 1);
        cmyk_to_rgb(row, region.width, target);
      } else {
        JSAMPROW rows[2] = {target, target + stride};  // 4:2:0 comes in pairs of rows
        jpeg_read_scanlines(&codec, rows, std::min<JDIMENSION>(2, end - codec.output_scanline));
      }
    }
    jpeg_abort_decompress(&codec);
    return true;
  }

  bool read_header(std::span<const std::byte> jpeg) {
    if (setjmp(errors.leave) != 0) {
      return false;
    }
    jpeg_abort_decompress(&codec);  // whatever an error left behind
    jpeg_mem_src(&codec,
                 reinterpret_cast<const unsigned char*>(jpeg.data()),
                 static_cast<unsigned long>(jpeg.size()));
    jpeg_read_header(&codec, TRUE);
    return true;
  }
};

JpegDecoder::JpegDecoder(const JpegOptions& options) : state_(std::make_unique<State>()) {
  state_->options = options;
  install(state_->errors);
  state_->codec.err = &state_->errors.manager;
  jpeg_create_decompress(&state_->codec);
}

JpegDecoder::~JpegDecoder() {
  jpeg_destroy_decompress(&state_->codec);
}

Size JpegDecoder::open(std::span<const std::byte> jpeg) {
  state_->errors.damaged = false;
  if (!state_->read_header(jpeg)) {
    state_->fail();
  }
  return {static_cast<int>(state_->codec.image_width),
          static_cast<int>(state_->codec.image_height)};
}

ImagePart JpegDecoder::decode(const Region& region, int denominator) {
  auto& state = *state_;
  const Size whole = reduced(
      {static_cast<int>(state.codec.image_width), static_cast<int>(state.codec.image_height)},
      denominator);
  Region part{0, 0, whole.width, whole.height};
  if (state.options.partial) {
    // Chroma upsampling looks at the neighbours: with them the region's own pixels stay exact.
    constexpr int margin = 2;
    part = region;
    part.x = std::max(0, region.x - margin);
    part.width = std::min(whole.width, region.x + region.width + margin) - part.x;
  }
  if (!state.start(part, denominator)) {
    state.fail();
  }
  const auto stride = static_cast<std::size_t>(part.width) * 3;
  // One spare row: the last pair of rows may be announced beyond the region.
  const auto bytes = stride * static_cast<std::size_t>(part.height + 1);
  if (state.pixels.size() < bytes) {
    state.pixels.resize(bytes + bytes / 4);
  }
  state.cmyk_row.resize(state.codec.out_color_space == JCS_CMYK ? stride / 3 * 4 : 0);
  if (!state.read_rows(part) || state.errors.damaged) {
    state.fail();
  }
  return {{state.pixels.data(), {part.width, part.height}, static_cast<std::ptrdiff_t>(stride)},
          part,
          whole};
}

ImagePart JpegDecoder::decode() {
  return decode({0,
                 0,
                 static_cast<int>(state_->codec.image_width),
                 static_cast<int>(state_->codec.image_height)});
}

struct JpegEncoder::State {
  jpeg_compress_struct codec{};
  Errors errors;
  unsigned char* buffer = nullptr;  // malloc'ed: libjpeg grows it
  unsigned long capacity = 0;

  bool encode(const ImageView& image, int quality, unsigned long& bytes) {
    auto* target = buffer;
    if (setjmp(errors.leave) != 0) {
      return false;
    }
    jpeg_abort_compress(&codec);
    jpeg_mem_dest(&codec, &target, &bytes);
    codec.image_width = static_cast<JDIMENSION>(image.size.width);
    codec.image_height = static_cast<JDIMENSION>(image.size.height);
    codec.input_components = 3;
    codec.in_color_space = JCS_RGB;
    jpeg_set_defaults(&codec);
    jpeg_set_quality(&codec, quality, TRUE);
    jpeg_start_compress(&codec, TRUE);
    while (codec.next_scanline < codec.image_height) {
      auto* row = const_cast<JSAMPROW>(image.row(static_cast<int>(codec.next_scanline)));
      jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    return true;
  }
};

JpegEncoder::JpegEncoder() : state_(std::make_unique<State>()) {
  install(state_->errors);
  state_->codec.err = &state_->errors.manager;
  jpeg_create_compress(&state_->codec);
}

JpegEncoder::~JpegEncoder() {
  jpeg_destroy_compress(&state_->codec);
  std::free(state_->buffer);
}

std::span<const std::byte> JpegEncoder::encode(const ImageView& image, int quality) {
  auto& state = *state_;
  // Never shorter than what the coder can make, so that libjpeg does not replace the buffer.
  const auto bound = static_cast<unsigned long>(image.size.width + 32) *
                         static_cast<unsigned long>(image.size.height + 32) * 4 +
                     4096;
  if (state.capacity < bound) {
    std::free(state.buffer);
    state.buffer = static_cast<unsigned char*>(std::malloc(bound));
    state.capacity = state.buffer != nullptr ? bound : 0;
  }
  unsigned long bytes = state.capacity;
  if (state.buffer == nullptr || !state.encode(image, quality, bytes)) {
    throw DataError(fmt::format("cannot encode a JPEG of {} x {}: {}",
                                image.size.width,
                                image.size.height,
                                state.buffer != nullptr ? state.errors.text : "out of memory"));
  }
  return std::as_bytes(std::span(state.buffer, bytes));
}

}  // namespace rightsize
