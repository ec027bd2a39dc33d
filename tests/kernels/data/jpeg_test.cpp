#include <cmath>
#include <cstring>

#include <doctest/doctest.h>

#include "kernels/data/item.h"
#include "kernels/data/jpeg_folder.h"
#include "support/approx.h"
#include "temp_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

std::uint8_t at(const ImagePart& part, int x, int y, int c) {
  return part.view.row(y - part.region.y)[3 * (x - part.region.x) + c];
}

double psnr(const ImagePart& a, const ImagePart& b) {
  double squares = 0;
  for (int y = 0; y < a.whole.height; ++y) {
    for (int i = 0; i < 3 * a.whole.width; ++i) {
      const double difference = a.view.row(y)[i] - b.view.row(y)[i];
      squares += difference * difference;
    }
  }
  return 10 * std::log10(255.0 * 255.0 * 3 * a.whole.width * a.whole.height / squares);
}

}  // namespace

TEST_CASE("jpeg: a picture survives encode and decode") {
  std::vector<std::uint8_t> pixels;
  const auto picture = ScenePainter(3, 4).paint(1, 1, pixels);
  const auto jpeg = copy(JpegEncoder().encode(picture, 95));
  JpegDecoder decoder({.fast = false, .partial = false});
  CHECK(decoder.open(jpeg) == picture.size);
  const auto decoded = decoder.decode();
  CHECK(decoded.whole == picture.size);
  CHECK(psnr(decoded, {picture, {}, picture.size}) >
        25);  // sensor noise in chroma is what 4:2:0 loses
}

TEST_CASE("jpeg: decoding only a region gives the very pixels of the whole picture") {
  for (const std::uint64_t index : {1ULL, 2ULL, 7ULL}) {
    const auto jpeg = photo(index);
    for (const auto& [fast, denominator] :
         {std::pair{false, 1}, {false, 2}, {true, 1}, {true, 2}}) {
      JpegDecoder all({.fast = fast, .partial = false});
      JpegDecoder some({.fast = fast, .partial = true});
      const auto size = reduced(all.open(jpeg), denominator);
      some.open(jpeg);
      const auto whole = all.decode({0, 0, size.width, size.height}, denominator);
      const Region region{37, 21, size.width / 2, size.height / 2};
      const auto part = some.decode(region, denominator);
      REQUIRE(part.region.x <= region.x);
      REQUIRE(part.region.x + part.region.width >= region.x + region.width);
      int different = 0;
      for (int y = region.y; y < region.y + region.height; ++y) {
        for (int x = region.x; x < region.x + region.width; ++x) {
          for (int c = 0; c < 3; ++c) {
            different += at(part, x, y, c) != at(whole, x, y, c) ? 1 : 0;
          }
        }
      }
      CHECK(different == 0);
    }
  }
}

TEST_CASE("jpeg: the fast DCT and upsampling cost little quality") {
  JpegDecoder exact({.fast = false, .partial = false});
  JpegDecoder fast({.fast = true, .partial = false});
  for (const std::uint64_t index : {1ULL, 2ULL, 3ULL}) {
    const auto jpeg = photo(index, 95);
    exact.open(jpeg);
    fast.open(jpeg);
    const auto loss = psnr(exact.decode(), fast.decode());
    MESSAGE("PSNR fast against exact: " << loss << " dB");
    CHECK(loss > 33);
  }
}

TEST_CASE("jpeg: truncated and foreign bytes are errors, and the decoder goes on afterwards") {
  const auto jpeg = photo(1);
  JpegDecoder decoder;
  for (const auto length : {jpeg.size() / 2, jpeg.size() / 10}) {
    const auto cut = std::span(jpeg).first(length);
    const auto decode = [&] {
      decoder.open(cut);
      static_cast<void>(decoder.decode());
    };
    CHECK_THROWS_WITH_AS(
        decode(), doctest::Contains("not a complete JPEG image (Premature end"), DataError);
  }
  CHECK_THROWS_WITH_AS(
      decoder.open(bytes_of({1, 2, 3, 4})), doctest::Contains("Not a JPEG file"), DataError);
  CHECK_THROWS_AS(decoder.open({}), DataError);
  decoder.open(jpeg);
  CHECK(decoder.decode().view.size.width > 0);
}

TEST_CASE("jpeg folder: sorted classes are the labels, other files are ignored") {
  const TempFolder folder;
  write_bytes(folder / "set/zebra/1.JPEG", photo(1));
  write_bytes(folder / "set/ape/2.jpg", photo(2));
  write_bytes(folder / "set/ape/1.jpg", photo(3));
  write_bytes(folder / "set/ape/readme.txt", bytes_of({1}));
  const auto dataset = open_dataset(DataFormat::jpeg, folder / "set");
  REQUIRE(dataset->size() == 3);
  Bytes storage;
  CHECK(copy(dataset->read(0, storage).bytes) == photo(3));
  CHECK(dataset->read(1, storage).label == 0);
  CHECK(dataset->read(2, storage).label == 1);
  CHECK(dataset->where(2) == folder / "set/zebra/1.JPEG");
  CHECK(dataset->stored_bytes() == photo(1).size() + photo(2).size() + photo(3).size());
  write_bytes(folder / "set/ape/3.Jpg", photo(2));
  CHECK(open_dataset(DataFormat::jpeg, folder / "set")->size() == 4);
  std::filesystem::remove(folder / "set/ape/3.Jpg");
  std::filesystem::remove(folder / "set/ape/1.jpg");
  CHECK_THROWS_WITH_AS(static_cast<void>(dataset->read(0, storage)),
                       doctest::Contains("set/ape/1.jpg: No such file"),
                       DataError);
  CHECK_THROWS_WITH_AS(static_cast<void>(open_jpeg_folder(folder / "set/ape")),
                       doctest::Contains("which are the classes, but 1 of its own"),
                       DataError);
  CHECK_THROWS_WITH_AS(static_cast<void>(open_jpeg_folder(folder / ".")),
                       doctest::Contains("holds no JPEG files in sub-folders; give a folder"),
                       DataError);
  CHECK(is_jpeg_folder(folder / "set"));
  CHECK_FALSE(is_jpeg_folder(folder / "set/ape"));
  CHECK_FALSE(is_jpeg_folder(folder / "set/ape/readme.txt"));
  CHECK_FALSE(is_jpeg_folder(folder / "no"));
  CHECK_THROWS_WITH_AS(static_cast<void>(open_jpeg_folder(folder / "no")),
                       doctest::Contains("No such file or directory; give a folder"),
                       DataError);
}

TEST_CASE("item: the crop of a raw datum is normalised from blue, green, red planes") {
  Bytes planes(3 * 4 * 4);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    planes[i] = static_cast<std::byte>(i);
  }
  ItemMaker maker(4, 2);
  std::vector<float> out(3 * 2 * 2);
  maker.make({planes, Encoding::raw_chw, 0, 3, 4, 4}, {.augment = false}, out);
  // Centre crop: row 1, column 1 of the red plane (the third) is byte 32 + 5.
  CHECK(out[0] == test::approx((37 / 255.0 - 0.485) / 0.229));
  CHECK(out[3] == test::approx((42 / 255.0 - 0.485) / 0.229));
  CHECK(out[8] == test::approx((5 / 255.0 - 0.406) / 0.225));
  ItemMaker larger(8, 5);
  std::vector<float> more(3 * 5 * 5);
  CHECK_THROWS_WITH_AS(larger.make({planes, Encoding::raw_chw, 0, 3, 4, 4}, {}, more),
                       doctest::Contains("a picture of 4 x 4 has no crop of 5 x 5"),
                       DataError);
}

TEST_CASE("item: half-size DCT is used from twice the target on") {
  CHECK(reduction_for({500, 375}, 256) == 1);
  CHECK(reduction_for({1024, 512}, 256) == 2);
  CHECK(reduction_for({1022, 510}, 256) == 1);
  CHECK(reduction_for({4096, 4096}, 256) == 8);
}
