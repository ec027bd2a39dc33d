#include "kernels/data/wire.h"

#include <fmt/format.h>

namespace rightsize {

WireTag WireReader::take_tag() {
  const auto tag = take_varint();
  return {tag >> 3, static_cast<Wire>(tag & 7)};
}

std::uint64_t WireReader::take_varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(take_bytes(1)[0]);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
  fail("a number of more than ten bytes");
}

std::span<const std::byte> WireReader::take_bytes(std::uint64_t count) {
  if (count > message_.size() - position_) {
    fail(fmt::format("{} bytes announced, {} left", count, message_.size() - position_));
  }
  const auto view = message_.subspan(position_, count);
  position_ += count;
  return view;
}

void WireReader::skip(Wire wire) {
  switch (wire) {
    case Wire::varint:
      take_varint();
      return;
    case Wire::fixed64:
      take_bytes(8);
      return;
    case Wire::bytes:
      take_field();
      return;
    case Wire::fixed32:
      take_bytes(4);
      return;
  }
  fail(fmt::format("wire type {}", static_cast<std::uint64_t>(wire)));
}

void WireReader::fail(std::string_view what) const {
  throw DataError(fmt::format("{}: not {} ({} at byte {} of {}); {}",
                              names_.where,
                              names_.what,
                              what,
                              position_,
                              message_.size(),
                              names_.advice));
}

void put_varint(std::vector<std::byte>& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    out.push_back(static_cast<std::byte>((value & 0x7f) | 0x80));
  }
  out.push_back(static_cast<std::byte>(value));
}

void put_number(std::vector<std::byte>& out, std::uint64_t field, std::int64_t value) {
  put_varint(out, (field << 3) | static_cast<std::uint64_t>(Wire::varint));
  put_varint(out, static_cast<std::uint64_t>(value));  // negative: ten bytes, as protobuf does
}

void put_bytes(std::vector<std::byte>& out, std::uint64_t field, std::span<const std::byte> bytes) {
  put_varint(out, (field << 3) | static_cast<std::uint64_t>(Wire::bytes));
  put_varint(out, bytes.size());
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace rightsize
