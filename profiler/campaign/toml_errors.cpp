#include "profiler/campaign/toml_errors.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "profiler/campaign/fields.h"
#include "profiler/campaign/nearest.h"
#include "profiler/campaign/plan.h"

namespace rightsize {
namespace {

// "a string", "an integer"
std::string saw(const toml::node& node) {
  std::ostringstream out;
  out << node.type();
  const auto type = out.str() + (node.is_floating_point() ? " number" : "");
  return (type.find_first_of("aeiou") == 0 ? "an " : "a ") + type;
}

// A word of others than those expected, a number beyond what is expected, a list of none.
bool right_type(std::string_view expected, const toml::node& seen) {
  const auto expects = [&](std::string_view word) {
    return expected.find(word) != std::string_view::npos;
  };
  return (seen.is_string() && expected.starts_with("one of")) ||
         (seen.is_integer() && expects("integer")) ||
         (seen.is_number() && (expects("number") || expected.starts_with("seconds"))) ||
         (seen.is_array() && expects("list"));
}

}  // namespace

std::string printed(const toml::node& node) {
  if (const auto* number = node.as_floating_point()) {  // 0.6, where toml++ has 0.59999999999999998
    const auto text = fmt::format("{}", number->get());
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
  }
  std::ostringstream out;
  node.visit([&](const auto& value) { out << value; });
  auto text = out.str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

std::string expected_words(std::string_view expected, const toml::node& seen) {
  const bool of_type = right_type(expected, seen);
  return fmt::format("expected {}{}", expected, of_type ? "" : ", saw " + saw(seen));
}

void TomlErrors::fail_at(const toml::source_region& at, const std::string& message) const {
  if (path_ == command_line) {  // positions in a text that nobody wrote
    throw PlanError(fmt::format("{}: {}", path_, message));
  }
  throw PlanError(fmt::format("{}:{}:{}: {}", path_, at.begin.line, at.begin.column, message));
}

void TomlErrors::fail(std::string_view key,
                      const toml::node& value,
                      std::string_view expected) const {
  fail_at(value.source(),
          fmt::format("{} = {}: {}", key, printed(value), expected_words(expected, value)));
}

void TomlErrors::check_keys(const toml::table& table,
                            const std::vector<std::string_view>& known) const {
  for (const auto& [key, value] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) {
      continue;
    }
    const auto near = nearest(key.str(), known);
    fail_at(key.source(),
            fmt::format("{} = {}: unknown key{}",
                        key.str(),
                        printed(value),
                        near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  }
}

}  // namespace rightsize
