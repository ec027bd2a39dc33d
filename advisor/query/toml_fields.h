// Typed reading of one TOML table with errors a user can act on:
//   job.toml:14:9: batch = "64": expected an integer, saw a string
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

namespace rightsize {

class TomlFields {
 public:
  // `table` may be null: every field is then absent. `name` is the table's, "" at the top.
  TomlFields(const toml::table* table, std::string file, std::string name);

  // `form` is what a value that is no string is told to be: a unit or an example tells more.
  [[nodiscard]] std::optional<std::string> text(const std::string& key,
                                                const std::string& form = "a string");
  [[nodiscard]] std::optional<double> number(const std::string& key);
  [[nodiscard]] std::optional<std::int64_t> integer(const std::string& key);
  [[nodiscard]] std::optional<bool> boolean(const std::string& key);
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& key);  // one or an array
  [[nodiscard]] std::vector<std::string> texts(const std::string& key);      // one or an array
  [[nodiscard]] const toml::table* table(const std::string& key);
  [[nodiscard]] std::vector<const toml::table*> tables(const std::string& key);  // [[key]]
  [[nodiscard]] bool has(const std::string& key) { return node(key) != nullptr; }
  [[nodiscard]] bool is_text(const std::string& key);
  // Keys that are known before they are read: what is missing may be one misspelt.
  void expect(std::initializer_list<const char*> keys) { known_.insert(keys.begin(), keys.end()); }

  // "job.toml:14:9: constraints.deadline": where the value of `key` stands, for what reads it.
  [[nodiscard]] std::string place(const std::string& key) const;

  // Throws UsageError for the value of `key`, which must be present.
  [[noreturn]] void fail(const std::string& key, const std::string& expected) const;

  // Throws UsageError for the first key nobody asked for, with the nearest known ones. `hint` is
  // asked before, with the key and this table's name, what else there is to say of it.
  void reject_unknown(std::string (*hint)(std::string_view key,
                                          std::string_view table) = nullptr) const;

 private:
  const toml::node* node(const std::string& key);
  [[noreturn]] void fail_at(const toml::node& node,
                            const std::string& key,
                            const std::string& expected) const;

  const toml::table* table_;
  std::string file_;
  std::string name_;
  std::set<std::string> known_;
};

// Throws UsageError "file:line:column: what" when the file cannot be read or is not TOML.
[[nodiscard]] toml::table load_toml(const std::string& path);

// The candidate nearest to `word` by edit distance, "" when none is near.
[[nodiscard]] std::string nearest_word(const std::string& word,
                                       const std::vector<std::string>& candidates);

}  // namespace rightsize
