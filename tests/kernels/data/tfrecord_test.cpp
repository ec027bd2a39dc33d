#include "kernels/data/tfrecord.h"

#include <doctest/doctest.h>

#include "kernels/data/crc32c.h"
#include "temp_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

// An Example of image/encoded = ff d8 and image/class/label = 300, class 299 counted from 0,
// written down by hand from the format's documents: each map entry is {1: key, 2: Feature}, a
// Feature {1: BytesList} or {3: Int64List}, each list {1: values}.
Bytes hand_made_example() {
  return bytes_of({0x0a, 0x36,  // Example.features, 54 bytes
                   0x0a, 0x17,  // entry, 23 bytes
                   0x0a, 0x0d, 'i',  'm',  'a',  'g',  'e',  '/',  'e',  'n',  'c',  'o',
                   'd',  'e',  'd',  0x12, 0x06, 0x0a, 0x04, 0x0a, 0x02, 0xff, 0xd8,  //
                   0x0a, 0x1b,  // entry, 27 bytes
                   0x0a, 0x11, 'i',  'm',  'a',  'g',  'e',  '/',  'c',  'l',  'a',  's',
                   's',  '/',  'l',  'a',  'b',  'e',  'l',  //
                   0x12, 0x06, 0x1a, 0x04, 0x0a, 0x02, 0xac, 0x02});
}

Bytes text(std::string_view words) {
  return copy(std::as_bytes(std::span(words)));
}

std::string written(const TempFolder& folder, int count) {
  const auto path = folder / "train.tfrecord";
  TfRecordWriter writer(path);
  for (int i = 0; i < count; ++i) {
    writer.put(Bytes(static_cast<std::size_t>(3 * i + 1), static_cast<std::byte>(i)), i * 100);
  }
  writer.sync();
  return path;
}

}  // namespace

TEST_CASE("crc32c: the test vectors of RFC 3720, appendix B.4, by instruction and by table") {
  Bytes ascending;
  Bytes descending;
  for (int i = 0; i < 32; ++i) {
    ascending.push_back(static_cast<std::byte>(i));
    descending.push_back(static_cast<std::byte>(31 - i));
  }
  const struct {
    Bytes bytes;
    std::uint32_t crc;
  } cases[] = {{Bytes(32, std::byte{0}), 0x8a9136aa},
               {Bytes(32, std::byte{0xff}), 0x62a8ab43},
               {ascending, 0x46dd794e},
               {descending, 0x113fdb5c}};
  for (const auto& [bytes, crc] : cases) {
    CHECK(crc32c(bytes) == crc);
    CHECK(crc32c_by_table(bytes) == crc);
  }
  const auto odd = text("a length that is no multiple of eight");
  CHECK(crc32c(odd) == crc32c_by_table(odd));
}

TEST_CASE("tfrecord: an Example is read from hand-made bytes, and written as them") {
  const auto message = hand_made_example();
  const auto sample = decode_example(message, "record 0");
  CHECK(sample.label == 299);
  CHECK(copy(sample.bytes) == bytes_of({0xff, 0xd8}));
  Bytes ours;
  encode_example(sample, ours);
  CHECK(ours == message);
}

TEST_CASE("tfrecord: an Example without picture or label, or cut, is refused by place") {
  auto message = hand_made_example();
  CHECK_THROWS_WITH_AS(static_cast<void>(decode_example(bytes_of({0x0a, 0x00}), "record 7")),
                       doctest::Contains("record 7: not a tf.train.Example of a picture"),
                       DataError);
  message.resize(40);
  CHECK_THROWS_WITH_AS(static_cast<void>(decode_example(message, "record 7")),
                       doctest::Contains("54 bytes announced, 38 left"),
                       DataError);
}

TEST_CASE("tfrecord: records come back with the index, and without it by walking") {
  const TempFolder folder;
  const auto path = written(folder, 9);
  for (const bool with_index : {true, false}) {
    if (!with_index) {
      std::filesystem::remove(folder / "train.idx");
    }
    const auto dataset = open_tfrecord(path, AccessOrder::random);
    REQUIRE(dataset->size() == 9);
    CHECK(dataset->files().size() == (with_index ? 2 : 1));
    Bytes storage;
    for (std::size_t i : {8U, 0U, 5U}) {
      const auto sample = dataset->read(i, storage);
      CHECK(sample.label == static_cast<int>(i) * 100);
      CHECK(copy(sample.bytes) == Bytes(3 * i + 1, static_cast<std::byte>(i)));
    }
  }
}

TEST_CASE("tfrecord: a changed byte, a cut file and a foreign index are noticed") {
  const TempFolder folder;
  const auto path = written(folder, 3);
  const auto good = read_bytes(path);
  Bytes storage;

  auto bytes = good;
  bytes[20] ^= std::byte{1};  // in the first message
  write_bytes(path, bytes);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(open_tfrecord(path, AccessOrder::random)->read(0, storage)),
      doctest::Contains("a message that does not match its checksum at byte 0"),
      DataError);

  std::filesystem::remove(folder / "train.idx");
  bytes = good;
  bytes[0] ^= std::byte{1};  // in the first length
  write_bytes(path, bytes);
  CHECK_THROWS_WITH_AS(static_cast<void>(open_tfrecord(path, AccessOrder::random)),
                       doctest::Contains("a record's length does not match its checksum at byte 0"),
                       DataError);

  bytes = good;
  bytes.resize(bytes.size() - 3);
  write_bytes(path, bytes);
  CHECK_THROWS_WITH_AS(static_cast<void>(open_tfrecord(path, AccessOrder::random)),
                       doctest::Contains("bytes that are not there"),
                       DataError);

  write_bytes(path, good);
  write_bytes(folder / "train.idx", text("0 20\n99999 20\n"));
  CHECK_THROWS_WITH_AS(static_cast<void>(open_tfrecord(path, AccessOrder::random)),
                       doctest::Contains("train.idx line 2"),
                       DataError);
}
