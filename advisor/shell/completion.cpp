// What Tab offers, and the names it draws on.
#include <algorithm>

#include "advisor/cli/evidence.h"
#include "advisor/cli/flags.h"
#include "advisor/export/exporter.h"
#include "advisor/shell/completion_words.h"
#include "advisor/shell/session.h"
#include "advisor/shell/words.h"

namespace rightsize::shell {
namespace {

void keep_matching(std::string_view word, std::vector<std::string>& candidates) {
  std::erase_if(candidates, [&](const std::string& name) { return !name.starts_with(word); });
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
}

}  // namespace

bool Session::takes_query(const std::string& command) {
  constexpr std::string_view names[] = {
      "advise", "explain", "what-if", "compare", "export", "verify", "report"};
  return std::find(std::begin(names), std::end(names), command) != std::end(names);
}

std::vector<std::string> Session::setting_names() {
  cli::Options options("options");
  cli::add_query_options(options);
  std::vector<std::string> names;
  for (const auto& option : options.options()) {
    if (option->long_name() != "job") {
      names.push_back(option->long_name());
    }
  }
  return names;
}

// The last table's instances come first to mind; who types another's name means the catalogue.
std::vector<std::string> Session::names_for_query(const std::string& command,
                                                  std::string_view word) {
  std::vector<std::string> names;
  for (const auto& row : rows_) {
    const auto name = row.name.instance.substr(0, row.name.instance.find('@'));
    names.push_back(name.substr(name.find('/') + 1));
  }
  if (command == "what-if") {
    const auto keys = suppositions();
    names.insert(names.end(), keys.begin(), keys.end());
  }
  keep_matching(word, names);
  if (names.empty() && !word.empty() && !word.starts_with('-')) {
    names = catalog_.instances();
  }
  if (word.starts_with("--")) {
    for (const auto& name : setting_names()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

std::vector<std::string> Session::completions(std::string_view line) {
  const auto blank = line.rfind(' ');
  const auto word = blank == std::string_view::npos ? line : line.substr(blank + 1);
  const auto before = split(blank == std::string_view::npos ? "" : line.substr(0, blank));
  std::vector<std::string> names;
  if (before.empty()) {
    for (const auto& verb : verbs()) {
      names.emplace_back(verb.name);
    }
    for (const auto& known : cli::commands()) {
      if (!known.hidden && known.name != "shell") {
        names.emplace_back(known.name);
      }
    }
  } else if ((before[0] == "set" || before[0] == "filter") && before.size() == 1) {
    names = setting_names();
    names.emplace_back("job");
  } else if (before[0] == "job") {
    names = paths_from(word, ".toml");
  } else if (before[0] == "set" || before[0] == "filter") {
    names = before[1] == "job" ? paths_from(word, ".toml") : values_of_setting(before[1], catalog_);
  } else if (before[0] == "export" && before.back() == "--to") {
    for (const auto& exporter : exporters()) {
      names.emplace_back(exporter.name);
    }
  } else if (before[0] == "unset") {
    for (const auto& [key, values] : state_.settings) {
      names.push_back(key);
    }
  } else if (before[0] == "sort") {
    names = {"cost", "time", "throughput", "price", "vcpus", "memory", "chance"};
  } else if (takes_query(before[0])) {
    names = names_for_query(before[0], word);
  } else if (word.starts_with('-')) {
    for (const auto& flag : cli::flags_of(before[0])) {
      names.push_back(flag.name);
    }
  } else {
    names = paths_from(word, "");
  }
  keep_matching(word, names);
  return names;
}

}  // namespace rightsize::shell
