// What flags say: whether one was given, and the word of one that takes one of a few.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/query/usage_error.h"

namespace rightsize::cli {

// By the user, and not by default.
[[nodiscard]] inline bool given(const Values& values, const std::string& flag) {
  return values.count(flag) > 0 && !values[flag].defaulted();
}

// What `read` makes of it. Throws UsageError with what was expected.
template <typename Value>
Value meant(const Values& values,
            const char* flag,
            std::optional<Value> (*read)(std::string_view),
            const char* expected) {
  const auto& word = values[flag].as<std::string>();
  const auto value = read(word);
  if (!value) {
    throw UsageError(fmt::format("--{} {}: expected {}", flag, word, expected));
  }
  return *value;
}

}  // namespace rightsize::cli
