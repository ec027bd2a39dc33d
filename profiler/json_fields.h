// One list of fields per struct serves both directions: `visit_fields(visitor, value)` is called
// with a FieldWriter to make JSON and with a FieldReader to take it apart, so the two cannot drift.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "profiler/record.h"

namespace rightsize {

// Of a sample, wherever one is written: records, baselines.
template <typename Visitor, typename Value>
requires std::same_as<std::remove_const_t<Value>, Measured>
void visit_fields(Visitor&& field, Value& measured) {
  field("median", measured.median);
  field("low", measured.low);
  field("high", measured.high);
  field("relative_noise", measured.relative_noise);
  field("samples", measured.samples);
}

class FieldWriter {
 public:
  template <typename T>
  void operator()(std::string_view name, const T& value) {
    object_[name] = to_value(value);
  }

  // For fields that came after the first release: a zero says nothing.
  template <typename T>
  void optional(std::string_view name, const T& value) {
    if (value != T{}) {
      (*this)(name, value);
    }
  }

  [[nodiscard]] boost::json::object take() { return std::move(object_); }

 private:
  template <typename T>
  static boost::json::value to_value(const T& value) {
    if constexpr (std::floating_point<T>) {
      // JSON has no word for infinite or undefined numbers: unknown, which a reader will notice.
      return std::isfinite(value) ? boost::json::value(value) : boost::json::value(nullptr);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return boost::json::value(value);
    } else if constexpr (requires { to_json(value); }) {
      return to_json(value);
    } else {
      FieldWriter inner;
      visit_fields(inner, value);
      return inner.take();
    }
  }
  template <typename T>
  static boost::json::value to_value(const std::optional<T>& value) {
    return value ? to_value(*value) : boost::json::value(nullptr);
  }
  template <typename T>
  static boost::json::value to_value(const std::vector<T>& values) {
    boost::json::array array;
    for (const auto& value : values) {
      array.push_back(to_value(value));
    }
    return array;
  }
  static boost::json::value to_value(const std::map<std::string, std::string>& values) {
    boost::json::object object;
    for (const auto& [key, value] : values) {
      object[key] = value;
    }
    return object;
  }

  boost::json::object object_;
};

// Missing or mistyped fields throw RecordError with the whole path of the field; fields that this
// version does not know are left alone.
class FieldReader {
 public:
  FieldReader(const boost::json::object& object, std::string path)
      : object_(object), path_(std::move(path)) {}

  template <typename T>
  void operator()(std::string_view name, T& value) const {
    read(at(name), value, fmt::format("{}.{}", path_, name));
  }

  // For fields that came after the first release: absent keeps the default.
  template <typename T>
  void optional(std::string_view name, T& value) const {
    if (object_.contains(name)) {
      (*this)(name, value);
    }
  }

  [[nodiscard]] const boost::json::object& child(std::string_view name) const {
    const auto* object = at(name).if_object();
    if (object == nullptr) {
      fail(fmt::format("{}.{}", path_, name), "an object", at(name));
    }
    return *object;
  }

  [[nodiscard]] std::string text(std::string_view name) const {
    std::string value;
    (*this)(name, value);
    return value;
  }

 private:
  [[noreturn]] static void fail(const std::string& path,
                                std::string_view expected,
                                const boost::json::value& saw) {
    throw RecordError(
        fmt::format("{}: expected {}, saw {}", path, expected, boost::json::serialize(saw)));
  }

  [[nodiscard]] const boost::json::value& at(std::string_view name) const {
    const auto* value = object_.if_contains(name);
    if (value == nullptr) {
      throw RecordError(fmt::format("{}.{}: the field is missing", path_, name));
    }
    return *value;
  }

  static void read(const boost::json::value& from, bool& value, const std::string& path) {
    if (!from.is_bool()) {
      fail(path, "true or false", from);
    }
    value = from.get_bool();
  }
  static void read(const boost::json::value& from, std::string& value, const std::string& path) {
    if (!from.is_string()) {
      fail(path, "a string", from);
    }
    value = from.get_string();
  }
  template <typename T>
  requires std::floating_point<T> ||
      (std::integral<T> && !std::same_as<T, bool>)static void read(const boost::json::value& from,
                                                                   T& value,
                                                                   const std::string& path) {
    boost::json::error_code error;
    const T number = from.to_number<T>(error);
    if (error) {
      fail(path, std::floating_point<T> ? "a number" : "an integer in range", from);
    }
    value = number;
  }
  template <typename T>
  static void read(const boost::json::value& from,
                   std::optional<T>& value,
                   const std::string& path) {
    if (from.is_null()) {
      value.reset();
    } else {
      read(from, value.emplace(), path);
    }
  }
  template <typename T>
  static void read(const boost::json::value& from,
                   std::vector<T>& values,
                   const std::string& path) {
    if (!from.is_array()) {
      fail(path, "an array", from);
    }
    values.clear();
    for (const auto& element : from.get_array()) {
      const auto place = fmt::format("{}[{}]", path, values.size());
      read(element, values.emplace_back(), place);
    }
  }
  static void read(const boost::json::value& from,
                   std::map<std::string, std::string>& values,
                   const std::string& path) {
    if (!from.is_object()) {
      fail(path, "an object of strings", from);
    }
    values.clear();
    for (const auto& [key, value] : from.get_object()) {
      read(value, values[std::string(key)], path + "." + std::string(key));
    }
  }
  template <typename T>
  requires std::is_class_v<T>
  static void read(const boost::json::value& from, T& value, const std::string& path) {
    if (!from.is_object()) {
      fail(path, "an object", from);
    }
    visit_fields(FieldReader(from.get_object(), path), value);
  }

  const boost::json::object& object_;
  std::string path_;
};

}  // namespace rightsize
