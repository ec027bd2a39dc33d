// How RecordIO frames a record: in one or more parts, each with a head of its own (recordio.h has
// the format).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace rightsize {

constexpr std::size_t record_head_bytes = 8;

// Which part of its payload one is. A file may hold larger numbers, which are none.
enum class RecordCut : std::uint32_t { whole, first, middle, last };

// What the head of a part says.
struct RecordPart {
  RecordCut cut = RecordCut::whole;
  std::size_t bytes = 0;  // of payload

  [[nodiscard]] bool begins() const { return cut <= RecordCut::first; }  // a record
  [[nodiscard]] bool ends() const { return cut == RecordCut::whole || cut == RecordCut::last; }
  [[nodiscard]] std::size_t stored_bytes() const;  // with head and padding
};

// Of the part at the front of `bytes`. Nothing where they are too few or without the magic.
[[nodiscard]] std::optional<RecordPart> record_part(std::span<const std::byte> bytes);

// Replaces `record` by the framed `payload`, cut where the magic occurs. Throws DataError when a
// part is 2^29 bytes or longer: the length field has 29 bits.
void frame_record(std::span<const std::byte> payload, std::vector<std::byte>& record);

// The payload of the record at the front of `bytes`, put together in place: `bytes` is overwritten
// when there are several parts. `where` and `offset` go into the DataError.
[[nodiscard]] std::span<const std::byte> unframe_record(std::span<std::byte> bytes,
                                                        std::string_view where,
                                                        std::uint64_t offset);

}  // namespace rightsize
