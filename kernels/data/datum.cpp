#include "kernels/data/datum.h"

#include <fmt/format.h>

namespace rightsize {

namespace {

enum Field : std::uint64_t { channels = 1, height, width, data, label, float_data, encoded };
enum Wire : std::uint64_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

void put_varint(std::vector<std::byte>& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    out.push_back(static_cast<std::byte>((value & 0x7f) | 0x80));
  }
  out.push_back(static_cast<std::byte>(value));
}

void put_field(std::vector<std::byte>& out, Field field, std::int64_t value) {
  put_varint(out, (field << 3) | Wire::varint);
  put_varint(out, static_cast<std::uint64_t>(value));  // negative: ten bytes, as protobuf does
}

// Walks a message; every error names the byte.
class Reader {
 public:
  Reader(std::span<const std::byte> message, std::string_view where)
      : message_(message), where_(where) {}

  [[nodiscard]] bool at_end() const { return position_ == message_.size(); }

  std::uint64_t take_varint() {
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

  std::span<const std::byte> take_bytes(std::uint64_t count) {
    if (count > message_.size() - position_) {
      fail(fmt::format("{} bytes announced, {} left", count, message_.size() - position_));
    }
    const auto view = message_.subspan(position_, count);
    position_ += count;
    return view;
  }

  void skip(std::uint64_t wire) {
    switch (wire) {
      case Wire::varint:
        take_varint();
        return;
      case Wire::fixed64:
        take_bytes(8);
        return;
      case Wire::bytes:
        take_bytes(take_varint());
        return;
      case Wire::fixed32:
        take_bytes(4);
        return;
      default:
        fail(fmt::format("wire type {}", wire));
    }
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw DataError(
        fmt::format("{}: not a Caffe Datum ({} at byte {} of {}); is this the database "
                    "that convert_imageset made?",
                    where_,
                    what,
                    position_,
                    message_.size()));
  }

 private:
  std::span<const std::byte> message_;
  std::string_view where_;
  std::size_t position_ = 0;
};

void check_shape(const Sample& sample, bool has_floats, const Reader& reader) {
  if (sample.bytes.empty()) {
    reader.fail(has_floats ? "float_data without data: only byte images are read" : "no data");
  }
  if (sample.encoding == Encoding::jpeg) {
    return;
  }
  if (sample.channels < 1 || sample.height < 1 || sample.width < 1 ||
      static_cast<std::uint64_t>(sample.channels) * static_cast<std::uint64_t>(sample.height) *
              static_cast<std::uint64_t>(sample.width) !=
          sample.bytes.size()) {
    reader.fail(fmt::format("{} bytes of data for {} x {} x {}",
                            sample.bytes.size(),
                            sample.channels,
                            sample.height,
                            sample.width));
  }
}

}  // namespace

void encode_datum(const Sample& sample, std::vector<std::byte>& message) {
  message.clear();
  message.reserve(sample.bytes.size() + 64);
  if (sample.encoding == Encoding::raw_chw) {
    put_field(message, Field::channels, sample.channels);
    put_field(message, Field::height, sample.height);
    put_field(message, Field::width, sample.width);
  }
  put_varint(message, (Field::data << 3) | Wire::bytes);
  put_varint(message, sample.bytes.size());
  message.insert(message.end(), sample.bytes.begin(), sample.bytes.end());
  put_field(message, Field::label, sample.label);
  if (sample.encoding == Encoding::jpeg) {
    put_field(message, Field::encoded, 1);
  }
}

Sample decode_datum(std::span<const std::byte> message, std::string_view where) {
  Reader reader(message, where);
  Sample sample;
  sample.encoding = Encoding::raw_chw;
  sample.channels = sample.height = sample.width = 0;
  bool has_floats = false;
  while (!reader.at_end()) {
    const auto tag = reader.take_varint();
    const auto wire = tag & 7;
    const auto field = tag >> 3;
    if (field == Field::data && wire == Wire::bytes) {
      sample.bytes = reader.take_bytes(reader.take_varint());
    } else if (wire == Wire::varint && field <= Field::encoded && field != 0) {
      const auto value = static_cast<std::int32_t>(reader.take_varint());
      switch (field) {
        case Field::channels:
          sample.channels = value;
          break;
        case Field::height:
          sample.height = value;
          break;
        case Field::width:
          sample.width = value;
          break;
        case Field::label:
          sample.label = value;
          break;
        case Field::encoded:
          sample.encoding = value != 0 ? Encoding::jpeg : Encoding::raw_chw;
          break;
        default:
          break;
      }
    } else {
      has_floats = has_floats || field == Field::float_data;
      reader.skip(wire);
    }
  }
  check_shape(sample, has_floats, reader);
  return sample;
}

}  // namespace rightsize
