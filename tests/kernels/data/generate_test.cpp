#include "kernels/data/generate.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <doctest/doctest.h>
#include <sys/mount.h>
#include <unistd.h>

#include "kernels/data/preprocess.h"
#include "support/approx.h"
#include "temp_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

GenerateOptions small_set(const std::string& directory) {
  GenerateOptions options;
  options.directory = directory;
  options.items = 12;
  options.classes = 3;
  return options;
}

Bytes first_bytes(const Dataset& dataset, std::size_t index) {
  Bytes storage;
  return copy(dataset.read(index, storage).bytes);
}

// A file system of `megabytes` at `path` while this lives; mounted() is false without the right.
class SmallDisk {
 public:
  SmallDisk(const std::string& path, int megabytes) : path_(path) {
    std::filesystem::create_directories(path);
    const auto size = "size=" + std::to_string(megabytes) + "m";
    mounted_ = ::mount("tmpfs", path.c_str(), "tmpfs", 0, size.c_str()) == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) {
      ::umount2(path_.c_str(), MNT_DETACH);
    }
  }
  [[nodiscard]] bool mounted() const { return mounted_; }

 private:
  std::string path_;
  bool mounted_ = false;
};

}  // namespace

TEST_CASE("generate: the three formats hold the same items") {
  const TempFolder folder;
  std::size_t reports = 0;
  const auto summary =
      generate_imagenet_like(small_set(folder / "set"), [&](std::size_t done, std::size_t total) {
        CHECK(done == ++reports);
        CHECK(total == 12);
      });
  CHECK(reports == 12);
  const auto jpeg = open_dataset(DataFormat::jpeg, folder / "set/jpeg");
  const auto records = open_dataset(DataFormat::recordio, folder / "set/train.rec");
  const auto lmdb = open_dataset(DataFormat::lmdb, folder / "set/train.lmdb");
  CHECK(jpeg->size() == 12);
  CHECK(lmdb->size() == 12);
  REQUIRE(records->size() == 12);
  CHECK(jpeg->stored_bytes() == summary.jpeg_bytes);
  CHECK(records->stored_bytes() == summary.recordio_bytes);
  CHECK(lmdb->stored_bytes() == summary.lmdb_bytes);
  Bytes one;
  Bytes two;
  for (std::size_t i = 0; i < 12; ++i) {
    const auto stored = records->read(i, one);
    const auto raw = lmdb->read(i, two);
    CHECK(stored.label == raw.label);
    CHECK(raw.bytes.size() == 3 * 256 * 256);
  }
}

TEST_CASE("generate: the same seed makes the same bytes, whatever the number of threads") {
  const TempFolder folder;
  auto options = small_set(folder / "one");
  options.threads = 1;
  static_cast<void>(generate_imagenet_like(options));
  options.directory = folder / "three";
  options.threads = 3;
  static_cast<void>(generate_imagenet_like(options));
  CHECK(read_bytes(folder / "one/train.rec") == read_bytes(folder / "three/train.rec"));
  CHECK(first_bytes(*open_dataset(DataFormat::lmdb, folder / "one/train.lmdb"), 5) ==
        first_bytes(*open_dataset(DataFormat::lmdb, folder / "three/train.lmdb"), 5));
  options.directory = folder / "other";
  options.seed = 2;
  static_cast<void>(generate_imagenet_like(options));
  CHECK(read_bytes(folder / "one/train.rec") != read_bytes(folder / "other/train.rec"));
}

TEST_CASE("generate: a finished set is kept, an unfinished one is made again") {
  const TempFolder folder;
  const auto options = small_set(folder / "set");
  const auto made = generate_imagenet_like(options);
  bool again = false;
  const auto note = [&](std::size_t, std::size_t) { again = true; };
  CHECK(generate_imagenet_like(options, note).recordio_bytes == made.recordio_bytes);
  CHECK_FALSE(again);
  const auto whole = read_bytes(folder / "set/train.rec");
  std::filesystem::remove(folder / "set/manifest.json");  // as a killed run leaves it
  std::filesystem::resize_file(folder / "set/train.rec", 1000);
  write_bytes(folder / "set/jpeg/class_0099/stray.jpg", bytes_of({1}));
  static_cast<void>(generate_imagenet_like(options, note));
  CHECK(again);
  CHECK(read_bytes(folder / "set/train.rec") == whole);
  CHECK_FALSE(std::filesystem::exists(folder / "set/jpeg/class_0099"));
}

TEST_CASE("generate: nobody's own data is replaced, nor is a foreign manifest taken for ours") {
  const TempFolder folder;
  const auto options = small_set(folder / "own");
  const auto refused = [&] {
    CHECK_THROWS_WITH_AS(static_cast<void>(generate_imagenet_like(options)),
                         doctest::Contains("holds files that dataset make did not put there"),
                         DataError);
  };
  const auto records = bytes_of({1, 2, 3});
  write_bytes(folder / "own/train.rec", records);
  write_bytes(folder / "own/jpeg/cat/1.jpg", bytes_of({4}));
  refused();
  for (const std::string manifest : {"{}", "x", R"({"options":5})", R"({"options":{}})", "[1]"}) {
    CAPTURE(manifest);
    std::ofstream(folder / "own/manifest.json") << manifest;
    refused();
    CHECK(std::filesystem::file_size(folder / "own/manifest.json") == manifest.size());
  }
  CHECK(read_bytes(folder / "own/train.rec") == records);
  CHECK(std::filesystem::exists(folder / "own/jpeg/cat/1.jpg"));
}

TEST_CASE("generate: a folder of an earlier version, which set no mark, is ours by its manifest") {
  const TempFolder folder;
  auto options = small_set(folder / "set");
  static_cast<void>(generate_imagenet_like(options));
  REQUIRE(std::filesystem::remove(folder / "set/made_by_rightsize"));
  std::filesystem::create_directory(folder / "set/lost+found");
  options.seed = 2;
  std::size_t items = 0;
  static_cast<void>(generate_imagenet_like(options, [&](auto, auto) { ++items; }));
  CHECK(items == options.items);
}

TEST_CASE("generate: what is gone or shorter than promised is made again, and nothing else") {
  const TempFolder folder;
  const auto options = small_set(folder / "set");
  const auto made = generate_imagenet_like(options);
  const auto records = folder / "set/train.rec";
  const auto database = folder / "set/train.lmdb/data.mdb";
  const auto picture = std::filesystem::recursive_directory_iterator(folder / "set/jpeg");
  const auto first_picture = std::find_if(begin(picture), end(picture), [](const auto& entry) {
                               return entry.is_regular_file();
                             })->path();
  const auto whole = read_bytes(records);
  const auto index = read_bytes(folder / "set/train.idx");
  const auto old = std::filesystem::last_write_time(database);

  std::filesystem::remove(records);
  const auto again = generate_imagenet_like(options);
  CHECK(read_bytes(records) == whole);
  CHECK(read_bytes(folder / "set/train.idx") == index);
  CHECK(std::filesystem::last_write_time(database) == old);
  CHECK(again.items == made.items);
  CHECK(again.jpeg_bytes == made.jpeg_bytes);
  CHECK(again.recordio_bytes == made.recordio_bytes);
  CHECK(again.lmdb_bytes == made.lmdb_bytes);
  CHECK(again.mean_jpeg_bytes == test::approx(made.mean_jpeg_bytes));

  const auto repaired = [&] {
    std::size_t items = 0;
    static_cast<void>(generate_imagenet_like(options, [&](auto, auto) { ++items; }));
    return items == options.items;
  };
  CHECK_FALSE(repaired());
  std::filesystem::remove(folder / "set/train.idx");
  CHECK(repaired());
  CHECK(read_bytes(folder / "set/train.idx") == index);
  const auto picture_bytes = std::filesystem::file_size(first_picture);
  std::filesystem::resize_file(first_picture, 100);
  CHECK(repaired());
  CHECK(std::filesystem::file_size(first_picture) == picture_bytes);
  std::filesystem::remove_all(folder / "set/train.lmdb");
  CHECK(repaired());
  CHECK(open_dataset(DataFormat::lmdb, folder / "set/train.lmdb")->size() == options.items);
  CHECK_FALSE(repaired());
}

TEST_CASE("preprocess: JPEGs become 256 x 256 datums or records, going round the source") {
  const TempFolder folder;
  MemoryDataset source;
  for (std::uint64_t i = 0; i < 4; ++i) {
    source.items.push_back(photo(i));
  }
  for (const auto format : {DataFormat::lmdb, DataFormat::recordio}) {
    PreprocessOptions options;
    options.output = format;
    options.output_path = folder / (format == DataFormat::lmdb ? "out" : "out.rec");
    PreprocessJob job(source, options);
    CHECK(job.run(3) == 3);
    CHECK(job.run(3) == 3);
    const auto totals = job.totals();
    CHECK(totals.items == 6);
    CHECK(totals.decode_s > 0);
    CHECK(totals.blocked_s > 0);
    CHECK(totals.bytes_read > 0);
    const auto written = open_dataset(format, options.output_path);
    REQUIRE(written->size() == 6);
    Bytes storage;
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(written->read(i, storage).label == static_cast<std::int32_t>(i % 4));
    }
    CHECK(first_bytes(*written, 0) == first_bytes(*written, 4));
    CHECK(job.bytes_written() > 6 * (format == DataFormat::lmdb ? 3 * 256 * 256 : 1000));
  }
}

TEST_CASE("preprocess: a damaged source item is named, a wrong output refused") {
  const TempFolder folder;
  MemoryDataset source;
  source.items = {photo(0), bytes_of({1, 2, 3})};
  PreprocessOptions options;
  options.output_path = folder / "out";
  PreprocessJob job(source, options);
  CHECK_THROWS_WITH_AS(job.run(2), doctest::Contains("item 1: not a complete JPEG"), DataError);
  options.output = DataFormat::jpeg;
  CHECK_THROWS_WITH_AS(
      PreprocessJob(source, options), doctest::Contains("cannot write jpeg to"), DataError);
}

TEST_CASE("full disk: generate says so before it begins, preprocess when it happens") {
  const TempFolder folder;
  const SmallDisk disk(folder / "disk", 4);
  if (!disk.mounted()) {
    MESSAGE("skipped: mounting a small tmpfs needs root");
    return;
  }
  auto set = small_set(folder / "disk/set");
  set.items = 100;
  CHECK_THROWS_WITH_AS(static_cast<void>(generate_imagenet_like(set)),
                       doctest::Contains("no space left"),
                       DataError);
  MemoryDataset source;
  source.items = {photo(0)};
  for (const auto format : {DataFormat::lmdb, DataFormat::recordio}) {
    PreprocessOptions options;
    options.output = format;
    options.output_path = folder / (format == DataFormat::lmdb ? "disk/out" : "disk/out.rec");
    PreprocessJob job(source, options);
    CHECK_THROWS_WITH_AS(
        job.run(200), doctest::Contains("MB needed); free some space there"), DataError);
  }
}
