// tf.train.Example: a map from feature names to lists of bytes, floats or integers.
// Field numbers: tensorflow/core/example/{example,feature}.proto.
#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "kernels/data/tfrecord.h"
#include "kernels/data/wire.h"

namespace rightsize {
namespace {

constexpr std::uint64_t example_features = 1;  // Example
constexpr std::uint64_t features_entry = 1;    // Features: the map's entries
constexpr std::uint64_t entry_key = 1;
constexpr std::uint64_t entry_value = 2;
constexpr std::uint64_t bytes_list = 1;  // Feature
constexpr std::uint64_t int64_list = 3;
constexpr std::uint64_t list_value = 1;  // BytesList, Int64List

constexpr std::array<std::string_view, 3> image_names{"image/encoded", "image", "image_raw"};
// TensorFlow's ImageNet scripts count classes from 1 (0 is their background), others from 0.
constexpr std::string_view label_from_one = "image/class/label";
constexpr std::string_view label_from_zero = "label";

template <std::size_t Size>
bool is_one_of(const std::array<std::string_view, Size>& names, std::string_view name) {
  for (const auto& known : names) {
    if (known == name) {
      return true;
    }
  }
  return false;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Feature {
  std::optional<std::span<const std::byte>> bytes;  // the first value of a bytes list
  std::optional<std::int64_t> number;               // the first value of an integer list
};

// Packed, as proto3 writes it, or one by one.
std::int64_t first_number(WireReader list) {
  while (!list.at_end()) {
    const auto [field, wire] = list.take_tag();
    if (field == list_value && wire == Wire::bytes) {
      return static_cast<std::int64_t>(list.take_message().take_varint());
    }
    if (field == list_value && wire == Wire::varint) {
      return static_cast<std::int64_t>(list.take_varint());
    }
    list.skip(wire);
  }
  list.fail("a list of integers without any");
}

Feature read_feature(WireReader message) {
  Feature feature;
  while (!message.at_end()) {
    const auto [field, wire] = message.take_tag();
    if (field == bytes_list && wire == Wire::bytes) {
      auto list = message.take_message();
      if (!list.at_end() && list.take_tag().wire == Wire::bytes) {
        feature.bytes = list.take_field();
      }
    } else if (field == int64_list && wire == Wire::bytes) {
      feature.number = first_number(message.take_message());
    } else {
      message.skip(wire);
    }
  }
  return feature;
}

struct Entry {
  std::string_view key;
  Feature value;
};

Entry read_entry(WireReader message) {
  Entry entry;
  while (!message.at_end()) {
    const auto [field, wire] = message.take_tag();
    if (field == entry_key && wire == Wire::bytes) {
      entry.key = text_of(message.take_field());
    } else if (field == entry_value && wire == Wire::bytes) {
      entry.value = read_feature(message.take_message());
    } else {
      message.skip(wire);
    }
  }
  return entry;
}

// Counted from 0; nullopt where the entry is none.
std::optional<std::int64_t> label_of(const Entry& entry) {
  if (!entry.value.number) {
    return std::nullopt;
  }
  if (entry.key == label_from_one) {
    const auto number = *entry.value.number;
    return number == std::numeric_limits<std::int64_t>::min() ? number : number - 1;
  }
  return entry.key == label_from_zero ? entry.value.number : std::nullopt;
}

void put_entry(std::vector<std::byte>& features,
               std::string_view key,
               std::uint64_t kind,
               std::span<const std::byte> list) {
  std::vector<std::byte> feature;
  put_bytes(feature, kind, list);
  std::vector<std::byte> entry;
  put_bytes(entry, entry_key, std::as_bytes(std::span(key)));
  put_bytes(entry, entry_value, feature);
  put_bytes(features, features_entry, entry);
}

}  // namespace

Sample decode_example(std::span<const std::byte> message, std::string_view where) {
  WireReader example(message,
                     {where,
                      "a tf.train.Example of a picture",
                      "the features read are image/encoded and image/class/label"});
  Sample sample;
  bool has_label = false;
  while (!example.at_end()) {
    const auto [field, wire] = example.take_tag();
    if (field != example_features || wire != Wire::bytes) {
      example.skip(wire);
      continue;
    }
    auto features = example.take_message();
    while (!features.at_end()) {
      const auto tag = features.take_tag();
      if (tag.field != features_entry || tag.wire != Wire::bytes) {
        features.skip(tag.wire);
        continue;
      }
      const auto entry = read_entry(features.take_message());
      if (is_one_of(image_names, entry.key) && entry.value.bytes) {
        sample.bytes = *entry.value.bytes;
      } else if (const auto label = label_of(entry)) {
        if (*label < -1 || *label > std::numeric_limits<std::int32_t>::max()) {
          features.fail(fmt::format("{} {} is no class", entry.key, *entry.value.number));
        }
        sample.label = static_cast<std::int32_t>(*label);
        has_label = true;
      }
    }
  }
  if (sample.bytes.empty() || !has_label) {
    example.fail(sample.bytes.empty() ? "no picture" : "no label");
  }
  return sample;
}

void encode_example(const Sample& sample, std::vector<std::byte>& message) {
  std::vector<std::byte> features;
  std::vector<std::byte> list;
  put_bytes(list, list_value, sample.bytes);
  put_entry(features, image_names[0], bytes_list, list);
  std::vector<std::byte> packed;
  put_varint(packed, static_cast<std::uint64_t>(std::int64_t{sample.label} + 1));
  list.clear();
  put_bytes(list, list_value, packed);
  put_entry(features, label_from_one, int64_list, list);
  message.clear();
  put_bytes(message, example_features, features);
}

}  // namespace rightsize
