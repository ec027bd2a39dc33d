#include "advisor/json_place.h"

#include <limits>

#include <fmt/format.h>

#include "advisor/query/usage_error.h"

namespace rightsize {

void JsonPlace::refuse(std::string_view expected) const {
  throw UsageError(fmt::format("{}: expected {}", path_, expected));
}

JsonPlace JsonPlace::operator[](const char* name) const {
  if (!value_->is_object()) {
    refuse("an object");
  }
  const auto* found = value_->as_object().if_contains(name);
  const std::string path = path_.ends_with(": ") ? path_ + name : path_ + "." + name;
  if (found == nullptr) {
    throw UsageError(path + ": is missing; is it a document of rightsize advise -o json?");
  }
  return {*found, path};
}

bool JsonPlace::has(const char* name) const {
  return value_->is_object() && value_->as_object().contains(name);
}

std::vector<JsonPlace> JsonPlace::items() const {
  if (!value_->is_array()) {
    refuse("a list");
  }
  std::vector<JsonPlace> all;
  for (const auto& item : value_->as_array()) {
    all.emplace_back(item, fmt::format("{}[{}]", path_, all.size()));
  }
  return all;
}

std::string JsonPlace::text() const {
  if (!value_->is_string()) {
    refuse("a text");
  }
  return std::string(value_->as_string());
}

std::vector<std::string> JsonPlace::texts() const {
  std::vector<std::string> all;
  for (const auto& item : items()) {
    all.push_back(item.text());
  }
  return all;
}

double JsonPlace::number() const {
  if (!value_->is_number()) {
    refuse("a number");
  }
  return value_->to_number<double>();
}

double JsonPlace::not_negative() const {
  const double value = number();
  if (!(value >= 0)) {
    refuse("a number that is not negative");
  }
  return value;
}

double JsonPlace::above_zero() const {
  const double value = number();
  if (!(value > 0)) {
    refuse("a number above 0");
  }
  return value;
}

double JsonPlace::share() const {
  const double value = number();
  if (!(value >= 0 && value <= 1)) {
    refuse("a number from 0 to 1");
  }
  return value;
}

double JsonPlace::number_or_infinite() const {
  return is_null() ? std::numeric_limits<double>::infinity() : not_negative();
}

bool JsonPlace::flag() const {
  if (!value_->is_bool()) {
    refuse("true or false");
  }
  return value_->as_bool();
}

Money JsonPlace::money(const std::string& currency) const {
  try {
    return Money::parse(text(), currency);
  } catch (const PricingError&) {
    refuse("an amount such as \"12.50\"");
  }
}

std::string JsonPlace::currency() const {
  auto code = text();
  if (!is_currency_code(code)) {
    refuse("a currency such as USD");
  }
  return code;
}

}  // namespace rightsize
