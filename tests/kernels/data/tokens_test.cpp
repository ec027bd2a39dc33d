#include "kernels/data/tokens.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "temp_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

using Ids = std::vector<std::int32_t>;

void write_text(const std::string& path, std::string_view text) {
  write_bytes(path, std::as_bytes(std::span(text)));
}

struct Item {
  Ids tokens;
  Ids labels;
};

Item item(const TokenDataset& dataset, std::size_t index, std::size_t length, std::size_t labels) {
  Item result{Ids(length), Ids(labels)};
  dataset.read(index, result.tokens, result.labels);
  return result;
}

Bytes words16(std::initializer_list<int> ids) {
  Bytes bytes;
  for (const int id : ids) {
    bytes.push_back(static_cast<std::byte>(id & 0xff));
    bytes.push_back(static_cast<std::byte>(id >> 8));
  }
  return bytes;
}

}  // namespace

TEST_CASE("tokens: words are ranked by frequency, ties by alphabet, the rest is one id") {
  const TempFolder folder;
  write_text(folder / "ptb.txt", "the cat the dog\nthe end\n");
  // the 3, <eos> 2, cat dog end 1 each
  const auto all = open_tokens(folder / "ptb.txt", {.vocabulary = 300, .sequence = 4});
  CHECK(all->vocabulary() == 6);
  REQUIRE(all->size() == 1);
  CHECK(item(*all, 0, 4, 4).tokens == Ids{0, 2, 0, 3});
  CHECK(item(*all, 0, 4, 4).labels == Ids{2, 0, 3, 1});
}

TEST_CASE("tokens: a small vocabulary reads bytes") {
  const TempFolder folder;
  write_text(folder / "a.txt", "abcd\n");
  const auto bytes = open_tokens(folder / "a.txt", {.vocabulary = 256, .sequence = 2});
  REQUIRE(bytes->size() == 2);
  CHECK(item(*bytes, 1, 2, 2).tokens == Ids{'c', 'd'});
  CHECK(item(*bytes, 1, 2, 2).labels == Ids{'d', '\n'});
}

namespace {

// A head of llm.c, and five ids of 16 bits behind it.
Bytes headed(std::initializer_list<int> head) {
  Bytes file(1024, std::byte{0});
  const auto first = bytes_of(head);
  std::copy(first.begin(), first.end(), file.begin());
  const auto ids = words16({5, 300, 7, 8, 9});
  file.insert(file.end(), ids.begin(), ids.end());
  return file;
}

}  // namespace

TEST_CASE("tokens: a head that announces more, or other ids, is believed") {
  const TempFolder folder;
  const auto says = [&](const Bytes& file, const char* part) {
    write_bytes(folder / "a.bin", file);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(open_tokens(folder / "a.bin", {.vocabulary = 50'257, .sequence = 2})),
        doctest::Contains(part),
        DataError);
  };
  says(headed({0x88, 0xd8, 0x34, 0x01, 1, 0, 0, 0, 9, 0, 0, 0}), "announces 9 tokens and holds 5");
  says(headed({0x88, 0xd8, 0x34, 0x01, 2, 0, 0, 0, 5, 0, 0, 0}), "head 20240520 version 2");
  says(headed({0xa1, 0xd9, 0x34, 0x01, 7, 0, 0, 0, 2, 0, 0, 0}), "head 20240801 version 7");
  auto cut = headed({0x88, 0xd8, 0x34, 0x01, 1, 0, 0, 0, 5, 0, 0, 0});
  for (const std::size_t bytes : {1000U, 12U}) {  // within the head, of 1024
    cut.resize(bytes);
    says(cut, "begins with llm.c's head, which has 1024; it is truncated: copy or make it again");
  }
  auto odd = words16({5, 300, 7, 8, 9});
  odd.push_back(std::byte{1});
  says(odd, "has 11 bytes, an odd number");
}

TEST_CASE("tokens: nanoGPT's bare ids and llm.c's head are read") {
  const TempFolder folder;
  write_bytes(folder / "train.bin", words16({5, 300, 7, 8, 9}));
  const TokenOptions options{.vocabulary = 50'257, .sequence = 2};
  const auto bare = open_tokens(folder / "train.bin", options);
  REQUIRE(bare->size() == 2);
  CHECK(item(*bare, 1, 2, 2).tokens == Ids{7, 8});
  CHECK(item(*bare, 1, 2, 2).labels == Ids{8, 9});

  // 20240520, version 1, five tokens; little-endian
  write_bytes(folder / "headed.bin", headed({0x88, 0xd8, 0x34, 0x01, 1, 0, 0, 0, 5, 0, 0, 0}));
  const auto with_head = open_tokens(folder / "headed.bin", options);
  REQUIRE(with_head->size() == 2);
  CHECK(item(*with_head, 0, 2, 2).tokens == Ids{5, 300});

  const auto small = open_tokens(folder / "train.bin", {.vocabulary = 256, .sequence = 2});
  CHECK_THROWS_WITH_AS(item(*small, 0, 2, 2),
                       doctest::Contains("id 300 near byte 0, the network's vocabulary has 256"),
                       DataError);
}

TEST_CASE("tokens: fastText's documents are cut at the front or filled up there") {
  const TempFolder folder;
  write_text(folder / "a.txt", "__label__bad a b a\n__label__good a c c c c\n");
  const auto documents =
      open_tokens(folder / "a.txt", {.vocabulary = 300, .sequence = 4, .labels_each = false});
  REQUIRE(documents->size() == 2);
  CHECK(documents->classes() == 2);
  const auto first = item(*documents, 0, 4, 1);
  CHECK(first.tokens[1] == first.tokens[3]);  // a b a
  CHECK(first.labels == Ids{0});
  const auto second = item(*documents, 1, 4, 1);
  CHECK(second.tokens == Ids(4, second.tokens[0]));  // c c c c
  CHECK(second.labels == Ids{1});
}

TEST_CASE("tokens: what does not fit the network is said") {
  const TempFolder folder;
  write_text(folder / "stream.txt", "a b c\n");
  write_text(folder / "classes.txt", "__label__x a b\n");
  CHECK_THROWS_WITH_AS(
      static_cast<void>(open_tokens(folder / "stream.txt", {.labels_each = false})),
      doctest::Contains("a stream of tokens without classes"),
      DataError);
  CHECK_THROWS_WITH_AS(static_cast<void>(open_tokens(folder / "classes.txt", {})),
                       doctest::Contains("documents with classes, and the network wants a stream"),
                       DataError);
  CHECK_THROWS_WITH_AS(static_cast<void>(open_tokens(folder / "stream.txt", {.sequence = 9})),
                       doctest::Contains("holds 4 tokens, an item takes 10"),
                       DataError);
  CHECK_THROWS_AS(static_cast<void>(open_tokens(folder / "none.txt", {})), DataError);
}

TEST_CASE("tokens: a file of pictures is no text") {
  const TempFolder folder;
  write_bytes(folder / "train-images-idx3-ubyte", bytes_of({0, 0, 8, 3, 0, 0, 0, 2, 7, 7, 7, 7}));
  CHECK_THROWS_WITH_AS(static_cast<void>(open_tokens(folder / "train-images-idx3-ubyte", {})),
                       doctest::Contains("is no text"),
                       DataError);
}
