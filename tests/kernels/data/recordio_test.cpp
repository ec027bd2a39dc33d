#include "kernels/data/recordio.h"

#include <cmath>
#include <cstring>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kernels/data/recordio_frame.h"
#include "temp_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

// The magic 0xced7230a, little-endian.
constexpr int m0 = 0x0a, m1 = 0x23, m2 = 0xd7, m3 = 0xce;

Bytes framed(const Bytes& payload) {
  Bytes record;
  frame_record(payload, record);
  return record;
}

Bytes unframed(Bytes record) {
  return copy(unframe_record(record, "record 0 of a.rec", 100));
}

}  // namespace

TEST_CASE("recordio: a payload is framed and padded to four bytes") {
  CHECK(framed(bytes_of({7, 8, 9, 10, 11})) ==
        bytes_of({m0, m1, m2, m3, 5, 0, 0, 0, 7, 8, 9, 10, 11, 0, 0, 0}));
  CHECK(framed({}) == bytes_of({m0, m1, m2, m3, 0, 0, 0, 0}));
}

TEST_CASE("recordio: a payload that holds the magic is cut there, and put together again") {
  const auto payload = bytes_of({1, 2, 3, 4, m0, m1, m2, m3, m0, m1, m2, m3, 5, 6});
  // first (kind 1: 0x20 in the top byte) of 4 bytes, middle (0x40) of none, last (0x60) of 2
  const auto record = bytes_of({m0, m1, m2, m3,   4,  0,  0,  0x20, 1, 2, 3, 4,    m0, m1, m2, m3,
                                0,  0,  0,  0x40, m0, m1, m2, m3,   2, 0, 0, 0x60, 5,  6,  0,  0});
  CHECK(framed(payload) == record);
  CHECK(unframed(record) == payload);
  // Off the four-byte grid it stays whole: a reader only looks for it on the grid.
  const auto shifted = bytes_of({1, m0, m1, m2, m3, 5});
  CHECK(framed(shifted)[7] == std::byte{0});
  CHECK(unframed(framed(shifted)) == shifted);
  const auto leading = bytes_of({m0, m1, m2, m3, 9});
  CHECK(unframed(framed(leading)) == leading);
}

TEST_CASE("recordio: MXNet's image header is read from hand-made bytes") {
  const TempFolder folder;
  auto record = bytes_of({m0, m1, m2, m3, 28, 0, 0, 0});
  const auto header =
      bytes_of({0,  0, 0, 0, 0, 0, 0xe0, 0x40,  // flag 0, label 7.0f
                42, 0, 0, 0, 0, 0, 0,    0,    0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xd8, 0xff, 0xd9});
  record.insert(record.end(), header.begin(), header.end());
  write_bytes(folder / "a.rec", record);
  const auto dataset = open_recordio(folder / "a.rec");
  Bytes storage;
  const auto sample = dataset->read(0, storage);
  CHECK(dataset->size() == 1);
  CHECK(sample.label == 7);
  CHECK(copy(sample.bytes) == bytes_of({0xff, 0xd8, 0xff, 0xd9}));
}

TEST_CASE("recordio: records are the same with the index and without it") {
  const TempFolder folder;
  const auto path = folder / "train.rec";
  std::vector<Bytes> payloads;
  {
    RecordWriter writer(path);
    for (int i = 0; i < 20; ++i) {
      auto payload = Bytes(static_cast<std::size_t>(i * 7 + 1), static_cast<std::byte>(i));
      if (i % 3 == 0) {
        payload.insert(payload.begin(),
                       {std::byte{m0}, std::byte{m1}, std::byte{m2}, std::byte{m3}});
      }
      writer.put(payload, static_cast<float>(i));
      payloads.push_back(payload);
    }
    writer.sync();
    CHECK(writer.bytes_written() == std::filesystem::file_size(path));
  }
  for (const bool indexed : {true, false}) {
    const auto dataset = open_dataset(DataFormat::recordio, path);
    REQUIRE(dataset->size() == payloads.size());
    CHECK(dataset->files().size() == (indexed ? 2 : 1));
    Bytes storage;
    for (std::size_t i = payloads.size(); i-- > 0;) {
      const auto sample = dataset->read(i, storage);
      CHECK(copy(sample.bytes) == payloads[i]);
      CHECK(sample.label == static_cast<std::int32_t>(i));
    }
    std::filesystem::remove(folder / "train.idx");
  }
}

TEST_CASE("recordio: a label that is no class is named, and not trained on") {
  for (const float label : {-3.0F, 2.5F, 1e30F, std::nanf("")}) {
    const TempFolder folder;
    const auto path = folder / "a.rec";
    {
      RecordWriter writer(path);
      writer.put(Bytes(100), label);
      writer.sync();
    }
    Bytes storage;
    CHECK_THROWS_WITH_AS(static_cast<void>(open_recordio(path)->read(0, storage)),
                         doctest::Contains("is no class: expected 0, 1, 2"),
                         DataError);
  }
}

TEST_CASE("recordio: damage is named with record, file and byte") {
  const auto says = [](Bytes record, const char* text) {
    CHECK_THROWS_WITH_AS(static_cast<void>(unframe_record(record, "record 0 of a.rec", 100)),
                         doctest::Contains(text),
                         DataError);
  };
  says(bytes_of({1, 2, 3, 4, 0, 0, 0, 0}), "record 0 of a.rec: no RecordIO magic at byte 100;");
  says(bytes_of({m0, m1, m2, m3, 9, 0, 0, 0, 1}),
       "a part of 9 bytes of which 1 are there at byte 100");
  says(bytes_of({m0, m1, m2, m3, 0, 0, 0, 0x60}), "a part of kind 3 out of order at byte 100");
  says(bytes_of({m0, m1, m2, m3, 4, 0, 0, 0x20, 1, 2, 3, 4}), "no RecordIO magic at byte 112");
}

TEST_CASE("recordio: a truncated file, a foreign index and a missing file say what to do") {
  const TempFolder folder;
  const auto path = folder / "a.rec";
  {
    RecordWriter writer(path);
    writer.put(Bytes(100), 1);
    writer.put(Bytes(100), 2);
    writer.sync();
  }
  std::filesystem::resize_file(path, 150);
  Bytes storage;
  CHECK_THROWS_WITH_AS(static_cast<void>(open_recordio(path)->read(1, storage)),
                       doctest::Contains("of which"),
                       DataError);
  std::filesystem::resize_file(path, 100);
  CHECK_THROWS_WITH_AS(static_cast<void>(open_recordio(path)),
                       doctest::Contains((path + " ends at byte 100, but its index has a record at "
                                                 "byte 132; it is truncated")
                                             .c_str()),
                       DataError);
  const std::string text = "0\tzero\n";
  write_bytes(folder / "a.idx", std::as_bytes(std::span(text)));
  CHECK_THROWS_WITH_AS(static_cast<void>(open_recordio(path)),
                       doctest::Contains("a.idx line 1: \"0\tzero\" is not"),
                       DataError);
  CHECK_THROWS_WITH_AS(static_cast<void>(open_recordio(folder / "b.rec")),
                       doctest::Contains("No such file or directory; give the .rec file"),
                       DataError);
}
