#include "advisor/query/toml_fields.h"

#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query/saved_document.h"
#include "advisor/query/usage_error.h"
#include "advisor/text_file.h"
#include "profiler/campaign/fields.h"
#include "profiler/campaign/nearest.h"
#include "profiler/campaign/toml_errors.h"
#include "profiler/campaign/toml_mistake.h"

namespace rightsize {
namespace {

// As in the file, cut where it would fill the line.
std::string seen(const toml::node& node) {
  const auto shown = printed(node);
  return shown.size() > 60 ? shown.substr(0, 57) + "..." : shown;
}

std::vector<std::string> parts_of(std::string_view key) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(key)};
  for (std::string part; std::getline(in, part, '_');) {
    parts.push_back(part);
  }
  return parts;
}

// Whether `all` begins with the first of `some` and has the others in their order.
bool has_parts(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  if (all.empty() || some.empty() || all.front() != some.front()) {
    return false;
  }
  auto at = some.begin();
  for (const auto& part : all) {
    at += at != some.end() && part == *at ? 1 : 0;
  }
  return at == some.end();
}

// What a key may have been meant for: the nearest by letters, or those that say the same and more
// (memory_max: memory_gib_max) or less (deadline_hours: deadline).
std::vector<std::string> meant_by(const std::string& key, const std::set<std::string>& known) {
  if (auto near = nearest_word(key, {known.begin(), known.end()}); !near.empty()) {
    return {std::move(near)};
  }
  std::vector<std::string> meant;
  for (const auto& candidate : known) {
    if (has_parts(parts_of(candidate), parts_of(key)) ||
        has_parts(parts_of(key), parts_of(candidate))) {
      meant.push_back(candidate);
    }
  }
  return meant;
}

}  // namespace

std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  return std::string(nearest(word, views));
}

TomlFields::TomlFields(const toml::table* table, std::string file, std::string name)
    : table_(table), file_(std::move(file)), name_(std::move(name)) {}

const toml::node* TomlFields::node(const std::string& key) {
  known_.insert(key);
  return table_ == nullptr ? nullptr : table_->get(key);
}

void TomlFields::fail_at(const toml::node& node,
                         const std::string& key,
                         const std::string& expected) const {
  const auto& begin = node.source().begin;
  throw UsageError(fmt::format("{}:{}:{}: {} = {}: {}",
                               file_,
                               begin.line,
                               begin.column,
                               key,
                               seen(node),
                               expected_words(expected, node)));
}

void TomlFields::fail(const std::string& key, const std::string& expected) const {
  const toml::node* node = table_ == nullptr ? nullptr : table_->get(key);
  if (node == nullptr) {
    throw UsageError(fmt::format("{}: {}{} is missing: expected {}",
                                 file_,
                                 name_.empty() ? "" : name_ + ".",
                                 key,
                                 expected));
  }
  const auto& begin = node->source().begin;
  throw UsageError(fmt::format("{}:{}:{}: {} = {}: expected {}",
                               file_,
                               begin.line,
                               begin.column,
                               key,
                               seen(*node),
                               expected));
}

std::string TomlFields::place(const std::string& key) const {
  const auto name = name_.empty() ? key : name_ + "." + key;
  const auto* found = table_ == nullptr ? nullptr : table_->get(key);
  return found == nullptr ? fmt::format("{}: {}", file_, name)
                          : fmt::format("{}:{}:{}: {}",
                                        file_,
                                        found->source().begin.line,
                                        found->source().begin.column,
                                        name);
}

std::optional<std::string> TomlFields::text(const std::string& key, const std::string& form) {
  const auto* found = node(key);
  if (found == nullptr) {
    return std::nullopt;
  }
  if (!found->is_string()) {
    fail_at(*found, key, form);
  }
  return **found->as_string();
}

bool TomlFields::is_text(const std::string& key) {
  const auto* found = node(key);
  return found != nullptr && found->is_string();
}

std::optional<double> TomlFields::number(const std::string& key) {
  const auto* found = node(key);
  if (found == nullptr) {
    return std::nullopt;
  }
  if (const auto* whole = found->as_integer()) {  // toml++ has no double of one beyond 2^53
    return static_cast<double>(whole->get());
  }
  const auto* real = found->as_floating_point();
  if (real == nullptr) {
    fail_at(*found, key, "a number");
  }
  if (!std::isfinite(real->get())) {
    fail(key, "a finite number");
  }
  return real->get();
}

std::optional<std::int64_t> TomlFields::integer(const std::string& key) {
  const auto* found = node(key);
  if (found == nullptr) {
    return std::nullopt;
  }
  constexpr double exact = 1LL << 53;
  if (const auto* real = found->as_floating_point();
      real != nullptr && std::abs(real->get()) <= exact && real->get() == std::trunc(real->get())) {
    return static_cast<std::int64_t>(real->get());  // 1e6
  }
  if (!found->is_integer()) {
    fail_at(*found, key, "an integer");
  }
  return **found->as_integer();
}

std::optional<bool> TomlFields::boolean(const std::string& key) {
  const auto* found = node(key);
  if (found == nullptr) {
    return std::nullopt;
  }
  if (!found->is_boolean()) {
    fail_at(*found, key, "true or false");
  }
  return **found->as_boolean();
}

std::vector<std::int64_t> TomlFields::integers(const std::string& key) {
  const auto* found = node(key);
  if (found == nullptr) {
    return {};
  }
  if (found->is_integer()) {
    return {**found->as_integer()};
  }
  std::vector<std::int64_t> values;
  if (const auto* array = found->as_array()) {
    for (const auto& element : *array) {
      if (!element.is_integer()) {
        fail_at(element, key, "integers");
      }
      values.push_back(**element.as_integer());
    }
    return values;
  }
  fail_at(*found, key, "an integer or an array of integers");
}

std::vector<std::string> TomlFields::texts(const std::string& key) {
  const auto* found = node(key);
  if (found == nullptr) {
    return {};
  }
  if (found->is_string()) {
    return {**found->as_string()};
  }
  std::vector<std::string> values;
  if (const auto* array = found->as_array()) {
    for (const auto& element : *array) {
      if (!element.is_string()) {
        fail_at(element, key, "strings");
      }
      values.push_back(**element.as_string());
    }
    return values;
  }
  fail_at(*found, key, "a string or an array of strings");
}

const toml::table* TomlFields::table(const std::string& key) {
  const auto* found = node(key);
  if (found == nullptr) {
    return nullptr;
  }
  if (!found->is_table()) {
    fail_at(*found, key, "a table [" + key + "]");
  }
  return found->as_table();
}

std::vector<const toml::table*> TomlFields::tables(const std::string& key) {
  const auto* found = node(key);
  std::vector<const toml::table*> tables;
  if (found == nullptr) {
    return tables;
  }
  if (!found->is_array_of_tables()) {
    fail_at(*found, key, "tables [[" + key + "]]");
  }
  for (const auto& element : *found->as_array()) {
    tables.push_back(element.as_table());
  }
  return tables;
}

void TomlFields::reject_unknown(std::string (*hint)(std::string_view key,
                                                    std::string_view table)) const {
  if (table_ == nullptr) {
    return;
  }
  for (const auto& [key, value] : *table_) {
    const std::string name(key.str());
    if (known_.contains(name)) {
      continue;
    }
    const auto& begin = key.source().begin;
    auto more = hint == nullptr ? std::string() : hint(name, name_);
    if (more.empty()) {
      const auto meant = meant_by(name, known_);
      more = meant.empty() ? fmt::format("; the keys here are {}", fmt::join(known_, ", "))
                           : fmt::format(", did you mean \"{}\"?", fmt::join(meant, "\" or \""));
    }
    throw UsageError(
        fmt::format("{}:{}:{}: unknown key \"{}\"{}", file_, begin.line, begin.column, name, more));
  }
}

toml::table load_toml(const std::string& path) {
  const auto text = read_text_file(path);
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    if (const auto words = saved_document(text, path); !words.empty()) {
      throw UsageError(words);
    }
    throw UsageError(fmt::format("{}:{}:{}: {}",
                                 path,
                                 error.source().begin.line,
                                 error.source().begin.column,
                                 toml_mistake(error.description())));
  }
}

}  // namespace rightsize
