#include "kernels/data/recordio.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "kernels/data/recordio_frame.h"

namespace rightsize {

namespace {

struct ImageHeader {
  std::uint32_t flag = 0;  // number of further labels
  float label = 0;
  std::uint64_t id = 0;
  std::uint64_t id2 = 0;
};
static_assert(sizeof(ImageHeader) == 24);

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::string index_path(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".idx").string();
}

// Offsets of the records by walking the frames: one small read per part.
std::vector<std::uint64_t> walk_records(const File& file) {
  std::vector<std::uint64_t> offsets;
  const auto end = file.size();
  for (std::uint64_t at = 0; at < end;) {
    std::byte head[record_head_bytes];
    file.read_at(at, head);
    const auto part = record_part(head);
    if (!part) {
      throw DataError(
          fmt::format("{}: no RecordIO magic at byte {}; the file is corrupt: copy or "
                      "make it again",
                      file.path(),
                      at));
    }
    if (part->begins()) {
      offsets.push_back(at);
    }
    at += part->stored_bytes();
  }
  return offsets;
}

// One "key<TAB>offset" line; keys are not needed, their order is the order of the items.
std::uint64_t parse_index_line(std::string_view line, const std::string& path, std::size_t number) {
  std::uint64_t offset = 0;
  const auto tab = line.find('\t');
  if (tab != std::string_view::npos) {
    const auto* end = line.data() + line.size();
    const auto [stop, error] = std::from_chars(line.data() + tab + 1, end, offset);
    if (error == std::errc{} && (stop == end || *stop == '\r')) {
      return offset;
    }
  }
  throw DataError(
      fmt::format("{} line {}: \"{}\" is not \"key<TAB>offset\"; delete the file to have "
                  "the .rec walked instead",
                  path,
                  number,
                  line));
}

std::vector<std::uint64_t> read_index(const std::string& path) {
  std::vector<std::byte> storage;
  const auto bytes = read_file(path, storage);
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<std::uint64_t> offsets;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty()) {
      offsets.push_back(parse_index_line(line, path, number));
    }
  }
  return offsets;
}

// Takes MXNet's header off a payload that began at byte `offset` of the file.
Sample parse_image(std::span<const std::byte> payload, std::uint64_t offset) {
  if (payload.size() < sizeof(ImageHeader)) {
    throw DataError(
        fmt::format(": {} bytes at byte {} are too few for MXNet's image header; was it "
                    "made by im2rec?",
                    payload.size(),
                    offset));
  }
  const auto header = load<ImageHeader>(payload.data());
  const auto labels = std::size_t{header.flag} * sizeof(float);
  if (labels > payload.size() - sizeof(ImageHeader)) {
    throw DataError(
        fmt::format(": {} labels announced in {} bytes at byte {}; the record is corrupt: "
                    "make the file again",
                    header.flag,
                    payload.size(),
                    offset));
  }
  const auto label =
      header.flag == 0 ? header.label : load<float>(payload.data() + sizeof(ImageHeader));
  if (!(label >= 0 && label < 0x1p31F && label == std::floor(label))) {
    throw DataError(fmt::format(
        ": label {} at byte {} is no class: expected 0, 1, 2 ...; the record is corrupt "
        "or of another task; make the file again",
        label,
        offset));
  }
  Sample sample;
  sample.bytes = payload.subspan(sizeof(ImageHeader) + labels);
  sample.label = static_cast<std::int32_t>(label);
  return sample;
}

class RecordDataset final : public Dataset {
 public:
  RecordDataset(const std::string& path, AccessOrder order)
      : file_(File::open(path, "give the .rec file, or make it: rightsize dataset make")),
        stored_bytes_(file_.size()) {
    has_index_ = std::filesystem::exists(index_path(path));
    offsets_ = has_index_ ? read_index(index_path(path)) : walk_records(file_);
    if (offsets_.empty()) {
      throw DataError(fmt::format("{} holds no records; make it again", path));
    }
    find_ends();
    if (order == AccessOrder::random) {
      file_.expect_random_reads();
    }
  }

  [[nodiscard]] std::size_t size() const override { return offsets_.size(); }
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
    const auto offset = offsets_.at(index);
    const auto bytes = reserve_bytes(storage, ends_[index] - offset);
    file_.read_at(offset, bytes);
    try {
      return parse_image(unframe_record(bytes, "", offset), offset);
    } catch (const DataError& error) {  // the place is put together only when it is needed
      throw DataError(where(index) + error.what());
    }
  }

 private:
  // A record ends where the next one in the file begins; the index may list them in any order.
  void find_ends() {
    auto sorted = offsets_;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.back() + record_head_bytes > stored_bytes_) {
      throw DataError(
          fmt::format("{} ends at byte {}, but its index has a record at byte {}; it is "
                      "truncated or the .idx belongs to another file",
                      file_.path(),
                      stored_bytes_,
                      sorted.back()));
    }
    ends_.reserve(offsets_.size());
    for (const auto offset : offsets_) {
      const auto next = std::upper_bound(sorted.begin(), sorted.end(), offset);
      ends_.push_back(next == sorted.end() ? stored_bytes_ : *next);
    }
  }

  File file_;
  std::uint64_t stored_bytes_ = 0;
  bool has_index_ = false;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint64_t> ends_;
};

}  // namespace

std::unique_ptr<Dataset> open_recordio(const std::string& path, AccessOrder order) {
  return std::make_unique<RecordDataset>(path, order);
}

RecordWriter::RecordWriter(const std::string& path)
    : records_(File::create(path)), index_(File::create(index_path(path))) {}

void RecordWriter::put(std::span<const std::byte> jpeg, float label) {
  const ImageHeader header{0, label, next_, 0};
  const auto head = std::as_bytes(std::span(&header, 1));
  payload_.assign(head.begin(), head.end());
  payload_.insert(payload_.end(), jpeg.begin(), jpeg.end());
  frame_record(payload_, record_);
  records_.append(record_);
  pending_index_ += fmt::format("{}\t{}\n", next_, offset_);
  offset_ += record_.size();
  ++next_;
}

void RecordWriter::sync() {
  records_.sync();
  index_.append(std::as_bytes(std::span(pending_index_)));
  pending_index_.clear();
  index_.sync();
}

}  // namespace rightsize
