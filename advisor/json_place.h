// A place in a JSON document that knows its own name, so that a message about a saved answer says
// which field is wrong. Reads strictly: what is missing or of another kind is refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "pricing/money.h"

namespace rightsize {

// Every reader throws UsageError "answer.json: options[0].cost: expected a number".
class JsonPlace {
 public:
  JsonPlace(const boost::json::value& value, std::string path)
      : value_(&value), path_(std::move(path)) {}

  [[noreturn]] void refuse(std::string_view expected) const;

  [[nodiscard]] JsonPlace operator[](const char* name) const;
  [[nodiscard]] bool has(const char* name) const;
  [[nodiscard]] bool is_null() const { return value_->is_null(); }
  // There, and not null.
  [[nodiscard]] bool says(const char* name) const { return has(name) && !(*this)[name].is_null(); }

  [[nodiscard]] std::vector<JsonPlace> items() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string text_or_null() const { return is_null() ? "" : text(); }
  [[nodiscard]] std::vector<std::string> texts() const;
  [[nodiscard]] double number() const;
  // Numbers that could not be otherwise: of amounts, of what is never nothing, of chances.
  [[nodiscard]] double not_negative() const;
  [[nodiscard]] double above_zero() const;
  [[nodiscard]] double share() const;
  // Null is what never ends: JSON has no infinity. Not negative.
  [[nodiscard]] double number_or_infinite() const;
  [[nodiscard]] bool flag() const;
  [[nodiscard]] Money money(const std::string& currency) const;
  // Three capital letters, as ISO 4217 has them.
  [[nodiscard]] std::string currency() const;

  template <typename Whole>
  [[nodiscard]] Whole whole() const {
    boost::system::error_code error;
    const auto number = value_->is_number() ? value_->to_number<Whole>(error) : Whole{};
    if (error || !value_->is_number()) {
      refuse("a whole number");
    }
    return number;
  }

  // At least `least`.
  template <typename Whole>
  [[nodiscard]] Whole whole_from(Whole least) const {
    const auto number = whole<Whole>();
    if (number < least) {
      refuse("a whole number from " + std::to_string(least));
    }
    return number;
  }

  // A word that `read` knows; `expected` lists them.
  template <typename Value>
  [[nodiscard]] Value word(std::optional<Value> (*read)(std::string_view),
                           const char* expected) const {
    const auto value = read(text());
    if (!value) {
      refuse(expected);
    }
    return *value;
  }

 private:
  const boost::json::value* value_;
  std::string path_;
};

}  // namespace rightsize
