// Protocol Buffers' wire format, enough to walk and write the two messages that lie in data sets
// (Caffe's Datum, TensorFlow's Example) without copying the picture in them, which libprotobuf
// would do once per item. Reference: "Encoding", protobuf.dev/programming-guides/encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/data/dataset.h"

namespace rightsize {

enum class Wire : std::uint64_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct WireTag {
  std::uint64_t field = 0;
  Wire wire = Wire::varint;
};

// Walks a message; every error names the byte.
class WireReader {
 public:
  // `where` and `what` begin a message about a broken one: "record 3 of a.mdb", "a Caffe Datum".
  // `advice` ends it.
  struct Names {
    std::string_view where;
    std::string_view what;
    std::string_view advice;
  };

  WireReader(std::span<const std::byte> message, const Names& names)
      : message_(message), names_(names) {}

  [[nodiscard]] bool at_end() const { return position_ == message_.size(); }
  [[nodiscard]] WireTag take_tag();
  std::uint64_t take_varint();
  std::span<const std::byte> take_bytes(std::uint64_t count);
  std::span<const std::byte> take_field() { return take_bytes(take_varint()); }
  // The message in a field of bytes.
  [[nodiscard]] WireReader take_message() { return {take_field(), names_}; }
  void skip(Wire wire);
  [[noreturn]] void fail(std::string_view what) const;

 private:
  std::span<const std::byte> message_;
  Names names_;
  std::size_t position_ = 0;
};

void put_varint(std::vector<std::byte>& out, std::uint64_t value);
void put_number(std::vector<std::byte>& out, std::uint64_t field, std::int64_t value);
void put_bytes(std::vector<std::byte>& out, std::uint64_t field, std::span<const std::byte> bytes);

}  // namespace rightsize
