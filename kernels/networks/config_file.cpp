#include "kernels/networks/config_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "kernels/network_error.h"

namespace rightsize {

namespace json = boost::json;

bool is_config_path(std::string_view name) {
  return name.ends_with(".json");
}

ConfigFile::ConfigFile(std::string path) : path_(std::move(path)) {
  std::ifstream in(path_);
  if (!in) {
    refuse("cannot be read; check the path of the config.json");
  }
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  boost::system::error_code error;
  json::stream_parser parser;
  const auto read = parser.write_some(text, error);
  if (error) {
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(read), '\n');
    throw NetworkError(fmt::format(
        "{}:{}: is not JSON ({}); give a Hugging Face config.json", path_, line, error.message()));
  }
  const bool more = text.find_first_not_of(" \t\r\n", read) != std::string::npos;
  const auto value = parser.done() && !more ? parser.release() : json::value();
  if (!value.is_object()) {
    refuse("is not one JSON object, or one that ends too early; give a Hugging Face config.json");
  }
  object_ = value.as_object();
}

ConfigFile::ConfigFile(std::string name, json::object fields)
    : path_(std::move(name)), object_(std::move(fields)) {}

bool ConfigFile::given(const char* field) const {
  const auto* value = object_.if_contains(field);
  return value != nullptr && !value->is_null();
}

bool ConfigFile::says_null(const char* field) const {
  return object_.contains(field) && !given(field);
}

bool ConfigFile::says(const char* field, std::string_view word) const {
  const auto* value = object_.if_contains(field);
  return value != nullptr && value->is_string() && value->get_string() == word;
}

std::int64_t ConfigFile::positive(const char* field, std::int64_t most) const {
  const auto* value = object_.if_contains(field);
  if (value == nullptr) {
    fail(field, "is missing");
  }
  // Beyond 64 bits an integer is a double here.
  if (value->is_number() && value->to_number<double>() > static_cast<double>(most)) {
    fail(field, fmt::format("is {}, more than any such network has", json::serialize(*value)));
  }
  if (!value->is_int64() || value->as_int64() <= 0) {
    fail(field, fmt::format("is {}, not a positive integer", json::serialize(*value)));
  }
  return value->as_int64();
}

std::int64_t ConfigFile::positive_or(const char* field,
                                     std::int64_t otherwise,
                                     std::int64_t most) const {
  return given(field) ? positive(field, most) : otherwise;
}

std::int64_t ConfigFile::count_or(const char* field, std::int64_t otherwise) const {
  const bool none = given(field) && object_.at(field) == json::value(0);
  return none ? 0 : positive_or(field, otherwise);
}

double ConfigFile::number_or(const char* field, double otherwise) const {
  if (!given(field)) {
    return otherwise;
  }
  const auto& value = object_.at(field);
  if (!value.is_number() || value.to_number<double>() <= 0) {
    fail(field, fmt::format("is {}, not a positive number", json::serialize(value)));
  }
  return value.to_number<double>();
}

double ConfigFile::share_or(const char* field, double otherwise) const {
  if (!given(field)) {
    return otherwise;
  }
  const auto& value = object_.at(field);
  const double share = value.is_number() ? value.to_number<double>() : -1;
  if (share < 0 || share >= 1) {
    fail(field, fmt::format("is {}, not a number from 0 to below 1", json::serialize(value)));
  }
  return share;
}

std::int64_t ConfigFile::entries_or(const char* field, std::int64_t otherwise) const {
  if (!given(field)) {
    return otherwise;
  }
  const auto* inner = object_.at(field).if_object();
  if (inner == nullptr || inner->empty()) {
    fail(field, "is not an object of fields, or has none");
  }
  return static_cast<std::int64_t>(inner->size());
}

bool ConfigFile::flag_or(const char* field, bool otherwise) const {
  if (!given(field)) {
    return otherwise;
  }
  const auto& value = object_.at(field);
  if (!value.is_bool()) {
    fail(field, fmt::format("is {}, not true or false", json::serialize(value)));
  }
  return value.as_bool();
}

std::string ConfigFile::word_or(const char* field, std::string_view otherwise) const {
  if (!given(field)) {
    return std::string(otherwise);
  }
  const auto& value = object_.at(field);
  if (!value.is_string()) {
    fail(field, fmt::format("is {}, not a word", json::serialize(value)));
  }
  return std::string(value.as_string());
}

const json::array* ConfigFile::list(const char* field) const {
  if (!given(field)) {
    return nullptr;
  }
  const auto* list = object_.at(field).if_array();
  if (list == nullptr) {
    fail(field, fmt::format("is {}, not a list", json::serialize(object_.at(field))));
  }
  return list;
}

void ConfigFile::require(const char* field, const json::value& wanted) const {
  if (given(field) && object_.at(field) != wanted) {
    fail(field,
         fmt::format("is {}; only {} is known",
                     json::serialize(object_.at(field)),
                     json::serialize(wanted)));
  }
}

void ConfigFile::require_countable(const ConfigExtent& extent) const {
  if (extent.parameters > 0x1p50 || extent.elements > 0x1p60 || extent.products > 0x1p62) {
    refuse(fmt::format(
        "its fields together make {:.2g} parameters and a context of {}, more than any such "
        "network has",
        extent.parameters,
        extent.context));
  }
}

bool ConfigFile::enter(const char* field) {
  const auto* inner = given(field) ? object_.at(field).if_object() : nullptr;
  if (inner == nullptr) {
    return false;
  }
  object_ = json::object(*inner);
  return true;
}

void ConfigFile::suppose(const char* field, std::string_view word) {
  if (!given(field)) {
    object_[field] = word;
  }
}

void ConfigFile::call(const char* field, std::string_view word) {
  object_[field] = word;
}

void ConfigFile::use_one(const char* field) {
  const auto* const all = given(field) ? object_.at(field).if_array() : nullptr;
  if (all == nullptr) {
    return;
  }
  if (all->empty() || std::any_of(all->begin(), all->end(), [&](const json::value& one) {
        return one != all->front();
      })) {
    fail(field, "is not the same for all layers, or says nothing of any");
  }
  const json::value one = all->front();
  object_[field] = one;
}

void ConfigFile::read_as(const char* field, const char* other) {
  if (given(field) && !given(other)) {
    use_one(field);
    const json::value said = object_.at(field);
    object_[other] = said;
  }
}

void ConfigFile::fail(const char* field, const std::string& why) const {
  refuse(fmt::format("\"{}\" {}", field, why));
}

void ConfigFile::refuse(const std::string& why) const {
  throw NetworkError(fmt::format("{}: {}", path_, why));
}

}  // namespace rightsize
