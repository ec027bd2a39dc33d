#include "kernels/data/tokens.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "kernels/data/file.h"
#include "kernels/data/vocabulary.h"

namespace rightsize {
namespace {

constexpr std::string_view label_mark = "__label__";
constexpr std::uint32_t llm_c_magic = 20240520;
constexpr std::uint32_t llm_c_wide_magic = 20240801;  // of Llama 3's ids, 32 bits each
constexpr std::uint64_t llm_c_head_bytes = 1024;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Item i of a stream is tokens i * sequence ... and what follows each of them.
std::size_t items_in(std::uint64_t tokens, int sequence, const std::string& path) {
  const auto items = tokens < 1 ? 0 : (tokens - 1) / static_cast<std::uint64_t>(sequence);
  if (items == 0) {
    throw DataError(
        fmt::format("{} holds {} tokens, an item takes {}; take a longer file or a "
                    "shorter sequence",
                    path,
                    tokens,
                    sequence + 1));
  }
  return items;
}

void require_stream(const TokenOptions& options, const std::string& path) {
  if (!options.labels_each) {
    throw DataError(
        fmt::format("{} is a stream of tokens without classes, and the network wants one class per "
                    "item; give a text file whose lines begin with {}",
                    path,
                    label_mark));
  }
}

class IdFile final : public TokenDataset {
 public:
  IdFile(const std::string& path, const TokenOptions& options)
      : file_(File::open(path, "give a .bin file of 16-bit token ids")),
        sequence_(options.sequence),
        vocabulary_(options.vocabulary) {
    require_stream(options, path);
    items_ = items_in(count_tokens(path), sequence_, path);
  }

  [[nodiscard]] std::size_t size() const override { return items_; }
  [[nodiscard]] std::int64_t vocabulary() const override { return vocabulary_; }
  [[nodiscard]] int classes() const override { return 0; }
  [[nodiscard]] std::uint64_t stored_bytes() const override { return file_.size(); }
  [[nodiscard]] std::vector<std::string> files() const override { return {file_.path()}; }

  std::uint64_t read(std::size_t index,
                     std::span<std::int32_t> tokens,
                     std::span<std::int32_t> labels) const override {
    const auto length = static_cast<std::size_t>(sequence_);
    thread_local std::vector<std::uint16_t> ids;
    ids.resize(length + 1);
    const auto at = first_byte_ + index * length * sizeof(std::uint16_t);
    file_.read_at(at, std::as_writable_bytes(std::span(ids)));
    if (const auto most = *std::max_element(ids.begin(), ids.end()); most >= vocabulary_) {
      throw DataError(
          fmt::format("{}: id {} near byte {}, the network's vocabulary has {}; take a "
                      "network with the tokenizer's vocabulary",
                      file_.path(),
                      most,
                      at,
                      vocabulary_));
    }
    std::copy_n(ids.begin(), length, tokens.begin());
    std::copy_n(ids.begin() + 1, length, labels.begin());
    return ids.size() * sizeof(std::uint16_t);
  }

 private:
  // By llm.c's head (magic, version 1, number of tokens) where there is one, else by the bytes.
  std::uint64_t count_tokens(const std::string& path) {
    const auto bytes = file_.size();
    std::array<std::uint32_t, 3> head{};
    if (bytes >= sizeof(head)) {
      file_.read_at(0, std::as_writable_bytes(std::span(head)));
    }
    if (head[0] == llm_c_wide_magic || (head[0] == llm_c_magic && head[1] != 1)) {
      throw DataError(
          fmt::format("{} begins with llm.c's head {} version {}: ids of 16 bits are read, "
                      "head {} version 1; write GPT-2's tokens",
                      path,
                      head[0],
                      head[1],
                      llm_c_magic));
    }
    if (head[0] == llm_c_magic && bytes < llm_c_head_bytes) {
      throw DataError(
          fmt::format("{} has {} bytes and begins with llm.c's head, which has {}; it is "
                      "truncated: copy or make it again",
                      path,
                      bytes,
                      llm_c_head_bytes));
    }
    first_byte_ = head[0] == llm_c_magic ? llm_c_head_bytes : 0;
    const auto held = (bytes - first_byte_) / sizeof(std::uint16_t);
    if (first_byte_ > 0 && head[2] > held) {
      throw DataError(
          fmt::format("{} announces {} tokens and holds {}; it is truncated: copy or "
                      "make it again",
                      path,
                      head[2],
                      held));
    }
    if (bytes % sizeof(std::uint16_t) != 0) {
      throw DataError(fmt::format(
          "{} has {} bytes, an odd number, and ids of 16 bits are read; is it a token file?",
          path,
          bytes));
    }
    return first_byte_ > 0 ? head[2] : held;
  }

  File file_;
  int sequence_;
  std::int64_t vocabulary_;
  std::uint64_t first_byte_ = 0;
  std::size_t items_ = 0;
};

std::vector<std::int32_t> ids_of(std::string_view text, const Vocabulary& words) {
  std::vector<std::int32_t> ids;
  if (words.reads_bytes()) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      ids.push_back(words.id_of(text.substr(i, 1)));
    }
  } else {
    for_each_word(text, [&](std::string_view word) { ids.push_back(words.id_of(word)); });
  }
  return ids;
}

// What both kinds of text have: the file's name and size.
class Text : public TokenDataset {
 public:
  Text(std::string path, std::uint64_t bytes, std::int64_t vocabulary)
      : path_(std::move(path)), bytes_(bytes), vocabulary_(vocabulary) {}

  [[nodiscard]] std::int64_t vocabulary() const override { return vocabulary_; }
  [[nodiscard]] std::uint64_t stored_bytes() const override { return bytes_; }
  [[nodiscard]] std::vector<std::string> files() const override { return {path_}; }

 private:
  std::string path_;
  std::uint64_t bytes_;
  std::int64_t vocabulary_;
};

class TextStream final : public Text {
 public:
  TextStream(const std::string& path,
             std::string_view text,
             const Vocabulary& words,
             const TokenOptions& options)
      : Text(path, text.size(), words.size()),
        sequence_(static_cast<std::size_t>(options.sequence)),
        ids_(ids_of(text, words)) {
    require_stream(options, path);
    items_ = items_in(ids_.size(), options.sequence, path);
  }

  [[nodiscard]] std::size_t size() const override { return items_; }
  [[nodiscard]] int classes() const override { return 0; }

  std::uint64_t read(std::size_t index,
                     std::span<std::int32_t> tokens,
                     std::span<std::int32_t> labels) const override {
    const auto* first = ids_.data() + index * sequence_;
    std::copy_n(first, sequence_, tokens.begin());
    std::copy_n(first + 1, sequence_, labels.begin());
    return (sequence_ + 1) * sizeof(std::int32_t);
  }

 private:
  std::size_t sequence_;
  std::vector<std::int32_t> ids_;
  std::size_t items_ = 0;
};

// Documents are cut, or filled up in front with the most frequent word's id, as Keras does: what
// counts then stands at the end, where an LSTM has just been.
class Documents final : public Text {
 public:
  Documents(const std::string& path,
            std::string_view text,
            const Vocabulary& words,
            const TokenOptions& options)
      : Text(path, text.size(), words.size()),
        sequence_(static_cast<std::size_t>(options.sequence)) {
    if (options.labels_each) {
      throw DataError(
          fmt::format("{} holds documents with classes, and the network wants a stream; "
                      "give a text without {}",
                      path,
                      label_mark));
    }
    std::map<std::string_view, std::int32_t> classes;
    while (!text.empty()) {
      const auto line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (line.empty()) {
        continue;
      }
      const auto name = line.substr(0, line.find(' '));
      const auto next = static_cast<std::int32_t>(classes.size());
      labels_.push_back(classes.try_emplace(name, next).first->second);
      starts_.push_back(ids_.size());
      const auto ids = ids_of(line.substr(name.size()), words);
      ids_.insert(ids_.end(), ids.begin(), ids.end());
    }
    starts_.push_back(ids_.size());
    classes_ = static_cast<int>(classes.size());
  }

  [[nodiscard]] std::size_t size() const override { return labels_.size(); }
  [[nodiscard]] int classes() const override { return classes_; }

  std::uint64_t read(std::size_t index,
                     std::span<std::int32_t> tokens,
                     std::span<std::int32_t> labels) const override {
    const auto begin = starts_.at(index);
    const auto count = std::min(starts_[index + 1] - begin, sequence_);
    const auto filler = static_cast<std::ptrdiff_t>(sequence_ - count);
    std::fill_n(tokens.begin(), filler, 0);
    std::copy_n(ids_.begin() + static_cast<std::ptrdiff_t>(starts_[index + 1] - count),
                count,
                tokens.begin() + filler);
    labels[0] = labels_[index];
    return count * sizeof(std::int32_t);
  }

 private:
  std::size_t sequence_;
  std::vector<std::int32_t> ids_;
  std::vector<std::size_t> starts_;  // of each document, and the end
  std::vector<std::int32_t> labels_;
  int classes_ = 0;
};

}  // namespace

std::unique_ptr<TokenDataset> open_tokens(const std::string& path, const TokenOptions& options) {
  if (options.sequence < 1 || options.vocabulary < 2) {
    throw DataError(fmt::format("a sequence of {} tokens from a vocabulary of {}: at least 1 and 2",
                                options.sequence,
                                options.vocabulary));
  }
  if (path.ends_with(".bin")) {
    return std::make_unique<IdFile>(path, options);
  }
  std::vector<std::byte> storage;
  const auto text = text_of(read_file(path, storage));
  if (text.find('\0') != std::string_view::npos) {
    throw DataError(
        fmt::format("{} is no text: it holds bytes of zero; 16-bit token ids are read "
                    "from files named *.bin",
                    path));
  }
  const Vocabulary words(text, options.vocabulary);
  if (text.starts_with(label_mark)) {
    return std::make_unique<Documents>(path, text, words, options);
  }
  return std::make_unique<TextStream>(path, text, words, options);
}

}  // namespace rightsize
