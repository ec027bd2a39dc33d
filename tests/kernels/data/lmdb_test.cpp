#include <cstdio>
#include <cstdlib>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kernels/data/datum.h"
#include "kernels/data/lmdb_database.h"
#include "temp_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

Sample small_sample(const Bytes& pixels) {
  return {pixels, Encoding::raw_chw, 300, 3, 1, 2};
}

// Standard output of a shell command; empty when it could not run.
std::string output_of(const std::string& command) {
  std::string text;
  if (auto* pipe = ::popen((command + " 2>/dev/null").c_str(), "r")) {
    char buffer[4096];
    while (const auto got = std::fread(buffer, 1, sizeof buffer, pipe)) {
      text.append(buffer, got);
    }
    ::pclose(pipe);
  }
  return text;
}

}  // namespace

TEST_CASE("datum: the bytes are those of the protobuf wire format") {
  const auto pixels = bytes_of({1, 2, 3, 4, 5, 255});
  Bytes message;
  encode_datum(small_sample(pixels), message);
  // 08 03: field 1 varint 3 · 10 01 · 18 02 · 22 06: field 4, six bytes · 28 ac 02: field 5, 300
  CHECK(message ==
        bytes_of({0x08, 3, 0x10, 1, 0x18, 2, 0x22, 6, 1, 2, 3, 4, 5, 255, 0x28, 0xac, 2}));
}

TEST_CASE("datum: fields are read in any order and unknown ones are skipped") {
  const auto message = bytes_of(
      {0x28, 7, 0x7a, 2, 9, 9, 0x22, 2, 0xff, 0xd8, 0x38, 1, 0x81, 1, 1, 2, 3, 4, 5, 6, 7, 8});
  const auto sample = decode_datum(message, "here");
  CHECK(sample.label == 7);
  CHECK(sample.encoding == Encoding::jpeg);
  CHECK(copy(sample.bytes) == bytes_of({0xff, 0xd8}));
}

TEST_CASE("datum: a negative label survives") {
  const auto pixels = bytes_of({1, 2, 3, 4, 5, 6});
  auto sample = small_sample(pixels);
  sample.label = -5;
  Bytes message;
  encode_datum(sample, message);
  CHECK(decode_datum(message, "here").label == -5);
}

TEST_CASE("datum: what is wrong is said with its byte") {
  const auto says = [](const Bytes& message, const char* text) {
    CHECK_THROWS_WITH_AS(static_cast<void>(decode_datum(message, "record 3 of x/data.mdb")),
                         doctest::Contains(text),
                         DataError);
  };
  says(bytes_of({0x22, 6, 1, 2}),
       "record 3 of x/data.mdb: not a Caffe Datum (6 bytes announced, 2 left at byte 2 of 4)");
  says(bytes_of({0x08, 3}), "no data at byte 2 of 2");
  says(bytes_of({0x08, 3, 0x10, 1, 0x18, 2, 0x22, 2, 1, 2}), "2 bytes of data for 3 x 1 x 2");
  says(bytes_of({0x35, 0, 0, 0, 0}), "float_data without data");
  says(bytes_of({0x0b}), "wire type 3 at byte 1");
  says(bytes_of({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}),
       "a number of more than ten bytes");
}

TEST_CASE("lmdb: what was written is read back, over several growths of the map") {
  const TempFolder folder;
  constexpr std::size_t records = 700;  // 137 MB: the first map of 64 MiB grows twice
  Bytes pixels(3 * 256 * 256);
  {
    LmdbWriter writer(folder / "db", 50);
    for (std::size_t i = 0; i < records; ++i) {
      pixels[i] = static_cast<std::byte>(i + 1);
      writer.put({pixels, Encoding::raw_chw, static_cast<std::int32_t>(i), 3, 256, 256}, "a.jpg");
    }
    writer.commit();
    CHECK(writer.bytes_written() > records * pixels.size());
  }
  const auto dataset = open_dataset(DataFormat::lmdb, folder / "db");
  REQUIRE(dataset->size() == records);
  Bytes storage;
  for (const std::size_t i : {std::size_t{0}, std::size_t{350}, records - 1}) {
    const auto sample = dataset->read(i, storage);
    CHECK(sample.label == static_cast<std::int32_t>(i));
    CHECK(sample.bytes.size() == pixels.size());
    CHECK(sample.bytes[i] == static_cast<std::byte>(i + 1));
    CHECK(sample.bytes[i + 1] == std::byte{0});
  }
  CHECK(dataset->stored_bytes() == std::filesystem::file_size(folder / "db/data.mdb"));
}

TEST_CASE("lmdb: mdb_stat and mdb_dump read our database") {
  if (output_of("command -v mdb_dump").empty()) {
    MESSAGE("skipped: mdb_dump is not installed (package lmdb-utils)");
    return;
  }
  const TempFolder folder;
  const auto pixels = bytes_of({1, 2, 3, 4, 5, 255});
  {
    LmdbWriter writer(folder / "db");
    writer.put(small_sample(pixels), "cat.jpg");
    writer.commit();
  }
  CHECK(output_of("mdb_stat '" + folder / "db" + "'").find("Entries: 1") != std::string::npos);
  // The key "00000000_cat.jpg" and the Datum of the first test, in hex.
  const auto dump = output_of("mdb_dump '" + folder / "db" + "'");
  CHECK(dump.find(" 30303030303030305f6361742e6a7067\n 0803100118022206010203"
                  "0405ff28ac02\n") != std::string::npos);
}

TEST_CASE("lmdb: a missing, truncated or foreign file is named with what to do") {
  const TempFolder folder;
  CHECK_THROWS_WITH_AS(
      static_cast<void>(open_lmdb(folder / "none")),
      doctest::Contains(("cannot open " + folder / "none/data.mdb: No such file").c_str()),
      DataError);
  const auto pixels = bytes_of({1, 2, 3, 4, 5, 255});
  {
    LmdbWriter writer(folder / "db");
    for (int i = 0; i < 2000; ++i) {
      writer.put(small_sample(pixels), "x");
    }
    writer.commit();
  }
  const auto path = folder / "db/data.mdb";
  const auto size = std::filesystem::file_size(path);
  std::filesystem::resize_file(path, size / 2);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(open_lmdb(folder / "db")),
      doctest::Contains(
          fmt::format("{} ends at byte {}, but its header counts", path, size / 2).c_str()),
      DataError);
  write_bytes(folder / "text/data.mdb", Bytes(8192, std::byte{'x'}));
  CHECK_THROWS_WITH_AS(static_cast<void>(open_lmdb(folder / "text")),
                       doctest::Contains("is not a readable LMDB database"),
                       DataError);
}
