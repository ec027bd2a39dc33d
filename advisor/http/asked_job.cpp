#include "advisor/http/asked_job.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advisor/query/usage_error.h"

namespace rightsize::http {
namespace {

toml::table parsed(const std::string& text, const std::string& name) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("{}:{}:{}: {}",
                                 name,
                                 error.source().begin.line,
                                 error.source().begin.column,
                                 error.description()));
  }
}

// "[aws, gcp]" is "aws, gcp": brackets without the quotes of TOML are the reader's.
std::string without_brackets(const std::string& word) {
  const bool bare = word.starts_with('[') && word.ends_with(']') &&
                    word.find_first_of("\"'") == std::string::npos;
  return bare ? word.substr(1, word.size() - 2) : word;
}

// Of a key that takes a list, what stands between commas: "aws, gcp".
std::vector<std::string> parts_of(const JobKey& key, const std::string& said) {
  const auto word = without_brackets(said);
  const bool list = key.value.starts_with('[') || key.value.find(" or [") != std::string_view::npos;
  if (!list || word.starts_with('[') || word.find(',') == std::string::npos) {
    return {word};
  }
  std::vector<std::string> parts;
  std::istringstream each(word);
  for (std::string part; std::getline(each, part, ',');) {
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) {
      parts.push_back(part);
    }
  }
  return parts;
}

bool in_quotes(const std::string& word) {
  return word.size() > 1 && (word.front() == '"' || word.front() == '\'') &&
         word.back() == word.front();
}

// Puts `word` behind `key`: as the number, truth or list that it is where the key takes such, else
// as a text. The example of the key tells which: "48h" stands there in quotes.
void put(toml::table& table, const JobKey& key, const std::string& word) {
  const bool text = key.value.starts_with('"') || key.value.starts_with('[');
  if (!text || word.starts_with('[') || in_quotes(word)) {
    try {
      const auto read = toml::parse("value = " + word);
      const auto* value = read.get("value");
      if (read.size() == 1 && value != nullptr && !value->is_date() && !value->is_time() &&
          !value->is_date_time()) {
        value->visit([&](const auto& node) { table.insert_or_assign(key.key, node); });
        return;
      }
    } catch (const toml::parse_error&) {  // no value of TOML's: a text
    }
  }
  table.insert_or_assign(key.key, word);
}

toml::table& table_of(toml::table& job, const JobKey& key, const std::string& name) {
  if (key.table.empty()) {
    return job;
  }
  if (!job.contains(key.table)) {
    job.insert(key.table, toml::table());
  }
  auto* table = job.get(key.table)->as_table();
  if (table == nullptr) {
    throw UsageError(
        fmt::format("{}: [[{}]] is a list of tables, and no parameter says of which "
                    "{} is: send the job file",
                    name,
                    key.table,
                    key.key));
  }
  return *table;
}

}  // namespace

const JobKey* job_key_named(std::string_view parameter) {
  const auto keys = job_keys();
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const JobKey& key) {
    return key.table != "measured" && dotted(key) == parameter;
  });
  return found == keys.end() ? nullptr : &*found;
}

std::string dotted(const JobKey& key) {
  return key.table.empty() ? std::string(key.key) : fmt::format("{}.{}", key.table, key.key);
}

std::string job_with(const std::string& base,
                     const std::string& name,
                     std::span<const Parameter> parameters) {
  std::vector<std::pair<const JobKey*, std::vector<std::string>>> said;
  for (const auto& [parameter, value] : parameters) {
    const auto* key = job_key_named(parameter);
    if (key == nullptr || value.empty()) {
      continue;
    }
    const auto before =
        std::find_if(said.begin(), said.end(), [&](const auto& one) { return one.first == key; });
    auto& values =
        (before == said.end() ? said.emplace_back(key, std::vector<std::string>()) : *before)
            .second;
    for (auto& part : parts_of(*key, value)) {
      values.push_back(std::move(part));
    }
  }
  if (said.empty()) {
    return base;
  }
  auto job = parsed(base, name);
  for (const auto& [key, values] : said) {
    auto& table = table_of(job, *key, name);
    if (values.empty()) {
      continue;  // of commas alone
    }
    if (values.size() == 1) {
      put(table, *key, values.front());
    } else {
      toml::table each;
      toml::array list;
      for (const auto& value : values) {
        put(each, *key, value);
        each.get(key->key)->visit([&](const auto& node) { list.push_back(node); });
      }
      table.insert_or_assign(key->key, list);
    }
  }
  std::ostringstream text;
  text << job << "\n";
  return text.str();
}

std::optional<std::string> said_by(const toml::table& job, const JobKey& key) {
  const auto node = job.at_path(dotted(key));
  if (!node) {
    return std::nullopt;
  }
  if (const auto* text = node.as_string()) {
    return text->get();
  }
  std::ostringstream words;
  node.visit([&](const auto& value) { words << value; });
  return words.str();
}

}  // namespace rightsize::http
