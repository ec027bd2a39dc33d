#include "kernels/data/recordio_frame.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "kernels/data/dataset.h"

namespace rightsize {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::uint32_t magic = 0xced7230a;
constexpr std::uint32_t length_bits = 29;
constexpr std::uint32_t length_mask = (1U << length_bits) - 1;

std::uint32_t word_at(const std::byte* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + 3) & ~std::size_t{3};
}

void append_part(std::span<const std::byte> part, RecordCut cut, std::vector<std::byte>& record) {
  if (part.size() > length_mask) {
    throw DataError(
        fmt::format("a RecordIO part of {} bytes: at most {} fit", part.size(), length_mask));
  }
  const std::uint32_t head[2] = {
      magic,
      static_cast<std::uint32_t>(cut) << length_bits | static_cast<std::uint32_t>(part.size())};
  const auto bytes = std::as_bytes(std::span(head));
  record.insert(record.end(), bytes.begin(), bytes.end());
  record.insert(record.end(), part.begin(), part.end());
  record.resize(padded(record.size()));
}

}  // namespace

std::size_t RecordPart::stored_bytes() const {
  return record_head_bytes + padded(bytes);
}

std::optional<RecordPart> record_part(std::span<const std::byte> bytes) {
  if (bytes.size() < record_head_bytes || word_at(bytes.data()) != magic) {
    return std::nullopt;
  }
  const auto word = word_at(bytes.data() + sizeof magic);
  return RecordPart{static_cast<RecordCut>(word >> length_bits), word & length_mask};
}

void frame_record(std::span<const std::byte> payload, std::vector<std::byte>& record) {
  record.clear();
  std::size_t begin = 0;
  for (std::size_t at = 0; at + 4 <= payload.size(); at += 4) {
    if (word_at(payload.data() + at) == magic) {
      append_part(payload.subspan(begin, at - begin),
                  begin == 0 ? RecordCut::first : RecordCut::middle,
                  record);
      begin = at + 4;
    }
  }
  append_part(payload.subspan(begin), begin == 0 ? RecordCut::whole : RecordCut::last, record);
}

std::span<const std::byte> unframe_record(std::span<std::byte> bytes,
                                          std::string_view where,
                                          std::uint64_t offset) {
  const auto fail = [&](std::size_t at, std::string_view what) {
    return DataError(
        fmt::format("{}: {} at byte {}; the file is truncated or corrupt: copy or make "
                    "it again, or delete a stale .idx",
                    where,
                    what,
                    offset + at));
  };
  std::size_t filled = 0;  // of the payload, put together so far
  for (std::size_t at = 0;;) {
    const auto part = record_part(bytes.subspan(at));
    if (!part) {
      throw fail(at, "no RecordIO magic");
    }
    if (part->cut > RecordCut::last || (at == 0) != part->begins()) {
      throw fail(
          at, fmt::format("a part of kind {} out of order", static_cast<std::uint32_t>(part->cut)));
    }
    const auto there = bytes.size() - at - record_head_bytes;
    if (part->bytes > there) {
      throw fail(at, fmt::format("a part of {} bytes of which {} are there", part->bytes, there));
    }
    if (at != 0) {
      auto* const payload = bytes.data() + record_head_bytes;
      std::memcpy(payload + filled, &magic, sizeof magic);
      filled += sizeof magic;
      std::memmove(payload + filled, bytes.data() + at + record_head_bytes, part->bytes);
    }
    filled += part->bytes;
    at += part->stored_bytes();
    if (part->ends()) {
      return bytes.subspan(record_head_bytes, filled);
    }
    if (at > bytes.size()) {
      throw fail(bytes.size(), "no RecordIO magic");
    }
  }
}

}  // namespace rightsize
