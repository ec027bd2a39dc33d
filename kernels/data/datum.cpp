#include "kernels/data/datum.h"

#include <fmt/format.h>

#include "kernels/data/wire.h"

namespace rightsize {

namespace {

enum Field : std::uint64_t { channels = 1, height, width, data, label, float_data, encoded };

void check_shape(const Sample& sample, bool has_floats, const WireReader& reader) {
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
    put_number(message, Field::channels, sample.channels);
    put_number(message, Field::height, sample.height);
    put_number(message, Field::width, sample.width);
  }
  put_bytes(message, Field::data, sample.bytes);
  put_number(message, Field::label, sample.label);
  if (sample.encoding == Encoding::jpeg) {
    put_number(message, Field::encoded, 1);
  }
}

Sample decode_datum(std::span<const std::byte> message, std::string_view where) {
  WireReader reader(message,
                    {where, "a Caffe Datum", "is this the database that convert_imageset made?"});
  Sample sample;
  sample.encoding = Encoding::raw_chw;
  sample.channels = sample.height = sample.width = 0;
  bool has_floats = false;
  while (!reader.at_end()) {
    const auto [field, wire] = reader.take_tag();
    if (field == Field::data && wire == Wire::bytes) {
      sample.bytes = reader.take_field();
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
