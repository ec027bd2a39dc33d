#include "kernels/data/tfrecord.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "kernels/data/crc32c.h"

namespace rightsize {
namespace {

constexpr std::size_t head_bytes = 12;  // length and its checksum
constexpr std::size_t tail_bytes = 4;   // the message's checksum

struct Extent {
  std::uint64_t offset = 0;  // of the frame
  std::uint64_t bytes = 0;   // of the whole frame
};

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
void store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

std::string index_path(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".idx").string();
}

DataError corrupt(const std::string& path, std::uint64_t at, std::string_view what) {
  return DataError(fmt::format(
      "{}: {} at byte {}; the file is truncated or corrupt: copy or make it again, or delete a "
      "stale .idx",
      path,
      what,
      at));
}

// The length in a frame's head, checked.
std::uint64_t take_length(std::span<const std::byte> head,
                          const std::string& path,
                          std::uint64_t at) {
  if (load<std::uint32_t>(head.data() + 8) != masked_crc(crc32c(head.first(8)))) {
    throw corrupt(path, at, "a record's length does not match its checksum");
  }
  return load<std::uint64_t>(head.data());
}

std::vector<Extent> walk(const File& file) {
  std::vector<Extent> found;
  const auto end = file.size();
  for (std::uint64_t at = 0; at < end;) {
    std::byte head[head_bytes];
    file.read_at(at, head);
    const auto length = take_length(head, file.path(), at);
    if (length > end - at - std::min<std::uint64_t>(end - at, head_bytes + tail_bytes)) {
      throw corrupt(
          file.path(), at, fmt::format("a record of {} bytes that are not there", length));
    }
    found.push_back({at, head_bytes + length + tail_bytes});
    at += found.back().bytes;
  }
  return found;
}

std::uint64_t number_of(std::string_view text, bool& good) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  good = good && error == std::errc{} && stop == text.data() + text.size();
  return value;
}

// "offset bytes" lines.
std::vector<Extent> read_index(const std::string& path, std::uint64_t file_bytes) {
  std::vector<std::byte> storage;
  const auto bytes = read_file(path, storage);
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<Extent> found;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto space = line.find(' ');
    bool good = space != std::string_view::npos;
    Extent extent;
    if (good) {
      extent = {number_of(line.substr(0, space), good), number_of(line.substr(space + 1), good)};
    }
    if (!good || extent.bytes < head_bytes + tail_bytes || extent.bytes > file_bytes ||
        extent.offset > file_bytes - extent.bytes) {
      throw DataError(
          fmt::format("{} line {}: \"{}\" is no \"offset bytes\" inside the {} bytes of the "
                      ".tfrecord; delete the index to have the file walked instead",
                      path,
                      number,
                      line,
                      file_bytes));
    }
    found.push_back(extent);
  }
  return found;
}

class TfRecordDataset final : public Dataset {
 public:
  TfRecordDataset(const std::string& path, AccessOrder order)
      : file_(File::open(path, "give the .tfrecord file, or make it: rightsize dataset make")),
        stored_bytes_(file_.size()),
        has_index_(std::filesystem::exists(index_path(path))),
        extents_(has_index_ ? read_index(index_path(path), stored_bytes_) : walk(file_)) {
    if (extents_.empty()) {
      throw DataError(fmt::format("{} holds no records; make it again", path));
    }
    if (order == AccessOrder::random) {
      file_.expect_random_reads();
    }
  }

  [[nodiscard]] std::size_t size() const override { return extents_.size(); }
  [[nodiscard]] std::uint64_t stored_bytes() const override { return stored_bytes_; }
  [[nodiscard]] std::vector<std::string> files() const override {
    std::vector<std::string> all{file_.path()};
    if (has_index_) {
      all.push_back(index_path(file_.path()));
    }
    return all;
  }
  [[nodiscard]] std::string where(std::size_t index) const override {
    return fmt::format("record {} of {}", index, file_.path());
  }

  [[nodiscard]] Sample read(std::size_t index, std::vector<std::byte>& storage) const override {
    const auto& extent = extents_.at(index);
    const auto frame = reserve_bytes(storage, extent.bytes);
    file_.read_at(extent.offset, frame);
    const auto length = take_length(frame, file_.path(), extent.offset);
    if (length != extent.bytes - head_bytes - tail_bytes) {
      throw corrupt(file_.path(), extent.offset, "a record of another length than its index says");
    }
    const auto message = frame.subspan(head_bytes, length);
    if (load<std::uint32_t>(message.data() + length) != masked_crc(crc32c(message))) {
      throw corrupt(file_.path(), extent.offset, "a message that does not match its checksum");
    }
    return decode_example(message, where(index));
  }

 private:
  File file_;
  std::uint64_t stored_bytes_ = 0;
  bool has_index_ = false;
  std::vector<Extent> extents_;
};

}  // namespace

std::unique_ptr<Dataset> open_tfrecord(const std::string& path, AccessOrder order) {
  return std::make_unique<TfRecordDataset>(path, order);
}

TfRecordWriter::TfRecordWriter(const std::string& path)
    : records_(File::create(path)), index_(File::create(index_path(path))) {}

void TfRecordWriter::put(std::span<const std::byte> jpeg, std::int32_t label) {
  Sample sample;
  sample.bytes = jpeg;
  sample.label = label;
  encode_example(sample, message_);
  record_.resize(head_bytes + message_.size() + tail_bytes);
  store(record_.data(), static_cast<std::uint64_t>(message_.size()));
  store(record_.data() + 8, masked_crc(crc32c(std::span(record_).first(8))));
  std::memcpy(record_.data() + head_bytes, message_.data(), message_.size());
  store(record_.data() + head_bytes + message_.size(), masked_crc(crc32c(message_)));
  records_.append(record_);
  pending_index_ += fmt::format("{} {}\n", offset_, record_.size());
  offset_ += record_.size();
}

void TfRecordWriter::sync() {
  records_.sync();
  index_.append(std::as_bytes(std::span(pending_index_)));
  pending_index_.clear();
  index_.sync();
}

}  // namespace rightsize
