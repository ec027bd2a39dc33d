#include "kernels/data/memory_images.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include "kernels/data/item.h"
#include "support/approx.h"
#include "temp_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

// Two pictures of 2 x 3, from the description of the format.
const auto idx_images = bytes_of(
    {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
const auto idx_labels = bytes_of({0, 0, 8, 1, 0, 0, 0, 2, 7, 3});

void write_mnist(const TempFolder& folder) {
  write_bytes(folder / "train-images-idx3-ubyte", idx_images);
  write_bytes(folder / "train-labels-idx1-ubyte", idx_labels);
}

void write_compressed(const std::string& path, const Bytes& bytes) {
  auto* const file = gzopen(path.c_str(), "wb");
  REQUIRE(gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())) > 0);
  gzclose(file);
}

}  // namespace

TEST_CASE("mnist: IDX files are read, compressed or not") {
  const TempFolder folder;
  for (const bool compressed : {false, true}) {
    if (compressed) {
      std::filesystem::remove(folder / "train-images-idx3-ubyte");
      write_compressed(folder / "train-images-idx3-ubyte.gz", idx_images);
    } else {
      write_mnist(folder);
    }
    const auto dataset = open_dataset(DataFormat::mnist, folder / "");
    REQUIRE(dataset->size() == 2);
    Bytes storage;
    const auto sample = dataset->read(1, storage);
    CHECK(sample.label == 3);
    CHECK(sample.channels == 1);
    CHECK(sample.height == 2);
    CHECK(sample.width == 3);
    CHECK(copy(sample.bytes) == bytes_of({7, 8, 9, 10, 11, 12}));
  }
}

TEST_CASE("mnist: wrong magic, wrong size and unequal counts are refused by file") {
  const TempFolder folder;
  write_mnist(folder);
  const auto opened = [&] { static_cast<void>(open_mnist(folder / "")); };

  auto labels = idx_labels;
  labels[7] = std::byte{1};
  labels.pop_back();
  write_bytes(folder / "train-labels-idx1-ubyte", labels);
  CHECK_THROWS_WITH_AS(opened(), doctest::Contains("2 pictures"), DataError);

  write_bytes(folder / "train-labels-idx1-ubyte", idx_images);
  CHECK_THROWS_WITH_AS(opened(), doctest::Contains("not an IDX file of labels"), DataError);

  auto images = idx_images;
  images.pop_back();
  write_bytes(folder / "train-images-idx3-ubyte", images);
  CHECK_THROWS_WITH_AS(
      opened(), doctest::Contains("12 bytes announced at byte 4, 11 are there"), DataError);

  std::filesystem::remove(folder / "train-images-idx3-ubyte");
  CHECK_THROWS_WITH_AS(opened(), doctest::Contains("cannot open"), DataError);
}

TEST_CASE("cifar: both versions are read, planes stay red, green, blue") {
  const TempFolder folder;
  Bytes record(1 + 3072, std::byte{10});
  record[0] = std::byte{6};
  record[1] = std::byte{255};  // the first red pixel
  write_bytes(folder / "data_batch_1.bin", record);
  record[0] = std::byte{9};
  write_bytes(folder / "data_batch_2.bin", record);
  const auto ten = open_dataset(DataFormat::cifar, folder / "");
  REQUIRE(ten->size() == 2);
  Bytes storage;
  CHECK(ten->read(0, storage).label == 6);
  CHECK(ten->read(1, storage).label == 9);

  std::vector<float> planes(3 * 32 * 32);
  Draw draw;
  draw.augment = false;
  ItemMaker(32, 32).make(ten->read(0, storage), draw, planes);
  CHECK(planes[0] == test::approx((1 - 0.485) / 0.229));
  CHECK(planes[32 * 32] == test::approx((10.0 / 255 - 0.456) / 0.224));

  record.insert(record.begin(), std::byte{1});  // the coarse label
  record[1] = std::byte{77};
  write_bytes(folder / "train.bin", record);
  CHECK(open_cifar(folder / "")->read(0, storage).label == 77);
}

TEST_CASE("cifar: a file that ends within a record is refused") {
  const TempFolder folder;
  write_bytes(folder / "data_batch_1.bin", Bytes(3000));
  CHECK_THROWS_WITH_AS(static_cast<void>(open_cifar(folder / "")),
                       doctest::Contains("3000 bytes are no records of 3073"),
                       DataError);
  std::filesystem::remove(folder / "data_batch_1.bin");
  CHECK_THROWS_WITH_AS(static_cast<void>(open_cifar(folder / "")),
                       doctest::Contains("holds neither data_batch_1.bin"),
                       DataError);
}

TEST_CASE("item: a grey picture is cropped and normalised as MNIST, and never flipped") {
  const TempFolder folder;
  write_mnist(folder);
  const auto dataset = open_mnist(folder / "");
  Bytes storage;
  ItemMaker maker(2, 2, 1);
  for (std::uint64_t epoch = 0; epoch < 8; ++epoch) {
    std::vector<float> planes(4);
    maker.make(dataset->read(0, storage), {true, 1, epoch, 0}, planes);
    CHECK(planes[0] < planes[1]);  // a flip would turn them round
    CHECK(planes[3] - planes[0] == test::approx(4.0 / 255 / 0.3081));
  }
  std::vector<float> planes(3 * 4);
  CHECK_THROWS_WITH_AS(ItemMaker(2, 2).make(dataset->read(0, storage), {}, planes),
                       doctest::Contains("a picture of 1 channels for a network that reads 3"),
                       DataError);
}

TEST_CASE("mnist: sizes whose product wraps round to what is there are refused") {
  const TempFolder folder;
  write_mnist(folder);
  // 65536 x 2^24 x 2^24 bytes are 2^64, which is 0 in 64 bits: exactly what follows the head.
  write_bytes(folder / "train-images-idx3-ubyte",
              bytes_of({0, 0, 8, 3, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
  CHECK_THROWS_WITH_AS(
      static_cast<void>(open_mnist(folder / "")), doctest::Contains("0 are there"), DataError);
}
