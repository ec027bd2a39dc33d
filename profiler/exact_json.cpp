#include "profiler/exact_json.h"

#include <charconv>
#include <string>

#include <boost/json/basic_parser_impl.hpp>

namespace rightsize {
namespace {

namespace json = boost::json;

// What the parser calls: builds the value, of doubles from their digits.
class Builder {
 public:
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();

  Builder() { values_.reset(); }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code&) { return true; }
  bool on_array_begin(json::error_code&) { return true; }
  bool on_object_end(std::size_t entries, json::error_code&) {
    values_.push_object(entries);
    return true;
  }
  bool on_array_end(std::size_t elements, json::error_code&) {
    values_.push_array(elements);
    return true;
  }
  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    values_.push_chars(part);
    return true;
  }
  bool on_key(json::string_view part, std::size_t, json::error_code&) {
    values_.push_key(part);
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    values_.push_chars(part);
    return true;
  }
  bool on_string(json::string_view part, std::size_t, json::error_code&) {
    values_.push_string(part);
    return true;
  }
  bool on_number_part(json::string_view part, json::error_code&) {
    digits_.append(part.data(), part.size());
    return true;
  }
  bool on_int64(std::int64_t number, json::string_view, json::error_code&) {
    values_.push_int64(number);
    digits_.clear();
    return true;
  }
  bool on_uint64(std::uint64_t number, json::string_view, json::error_code&) {
    values_.push_uint64(number);
    digits_.clear();
    return true;
  }
  // `about` is what Boost.JSON made of the digits: kept where they are beyond a double.
  bool on_double(double about, json::string_view part, json::error_code&) {
    digits_.append(part.data(), part.size());
    double exact = about;
    const auto read = std::from_chars(digits_.data(), digits_.data() + digits_.size(), exact);
    values_.push_double(read.ec == std::errc() ? exact : about);
    digits_.clear();
    return true;
  }
  bool on_bool(bool value, json::error_code&) {
    values_.push_bool(value);
    return true;
  }
  bool on_null(json::error_code&) {
    values_.push_null();
    return true;
  }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

  json::value take() { return values_.release(); }

 private:
  json::value_stack values_;
  std::string digits_;  // of the number that is being read
};

}  // namespace

std::optional<json::value> parse_exactly(std::string_view text) {
  json::basic_parser<Builder> parser{json::parse_options{}};
  json::error_code error;
  const auto used = parser.write_some(false, text.data(), text.size(), error);
  if (error || used != text.size() || !parser.done()) {
    return std::nullopt;
  }
  return parser.handler().take();
}

}  // namespace rightsize
