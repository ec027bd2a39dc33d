#include "profiler/store/packed_record.h"

#include <cstdint>
#include <string_view>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <zlib.h>

#include "profiler/exact_json.h"

namespace rightsize {
namespace {

// Text inside a string cannot look like this: its quotes would have a backslash before them.
constexpr std::string_view field = ",\"timeline\":[";
constexpr std::string_view end = "]}";
constexpr std::size_t length_bytes = 4;  // of the text, in front of the deflated bytes
constexpr std::size_t most_bytes = 1U << 30;

std::string deflated(std::string_view text) {
  auto size = compressBound(text.size());
  std::string packed(length_bytes + size, '\0');
  for (std::size_t i = 0; i < length_bytes; ++i) {
    packed[i] = static_cast<char>(text.size() >> 8 * i);
  }
  const int code = compress2(reinterpret_cast<Bytef*>(packed.data() + length_bytes),
                             &size,
                             reinterpret_cast<const Bytef*>(text.data()),
                             text.size(),
                             Z_DEFAULT_COMPRESSION);
  if (code != Z_OK) {
    return {};  // out of memory: the record stays as it is
  }
  packed.resize(length_bytes + size);
  return packed;
}

std::string inflated(std::string_view packed) {
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < length_bytes && i < packed.size(); ++i) {
    size |= std::uint64_t{static_cast<unsigned char>(packed[i])} << 8 * i;
  }
  if (packed.size() < length_bytes || size > most_bytes) {
    throw RecordError("record.timeline: damaged, its length makes no sense");
  }
  std::string text(size, '\0');
  uLongf got = size;
  const int code = uncompress(reinterpret_cast<Bytef*>(text.data()),
                              &got,
                              reinterpret_cast<const Bytef*>(packed.data() + length_bytes),
                              packed.size() - length_bytes);
  if (code != Z_OK || got != size) {
    throw RecordError(
        fmt::format("record.timeline: damaged, it cannot be decompressed (zlib says {})", code));
  }
  return text;
}

}  // namespace

PackedRecord pack_record(std::string json) {
  const auto at = json.rfind(field);
  if (at == std::string::npos || !json.ends_with(end)) {
    return {std::move(json), {}};
  }
  const auto begin = at + field.size();
  const auto points = std::string_view(json).substr(begin, json.size() - end.size() - begin);
  auto timeline = points.empty() ? std::string() : deflated(points);
  if (!timeline.empty()) {
    json.erase(begin, points.size());
  }
  return {std::move(json), std::move(timeline)};
}

std::string unpack_record(const PackedRecord& packed) {
  if (packed.timeline.empty()) {
    return packed.body;
  }
  if (!packed.body.ends_with(std::string(field) + std::string(end))) {
    throw RecordError("record.timeline: stored apart, but the record has no place for it");
  }
  auto json = packed.body;
  json.insert(json.size() - end.size(), inflated(packed.timeline));
  return json;
}

Record record_in(const std::string& json) {
  const auto value = parse_exactly(json);
  if (!value || !value->is_object()) {
    throw RecordError("not a record: expected a JSON object, one per line");
  }
  return record_from_json(value->get_object());
}

}  // namespace rightsize
