// Complaints about one TOML file: "file:line:column: key = value: expected X, saw Y".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

namespace rightsize {

class TomlErrors {
 public:
  // `path` is the file's name for the messages; it must outlive this object.
  explicit TomlErrors(const std::string& path) : path_(path) {}

  // All throw PlanError.
  [[noreturn]] void fail_at(const toml::source_region& at, const std::string& message) const;
  [[noreturn]] void fail(std::string_view key,
                         const toml::node& value,
                         std::string_view expected) const;
  // Every key of `table` must be among `known`; says which one was probably meant.
  void check_keys(const toml::table& table, const std::vector<std::string_view>& known) const;

 private:
  const std::string& path_;
};

// A value as it would be written in the file, on one line.
[[nodiscard]] std::string printed(const toml::node& node);

// "expected an integer, saw a string"; of one word instead of others "expected one of cpu, gpu".
[[nodiscard]] std::string expected_words(std::string_view expected, const toml::node& seen);

}  // namespace rightsize
