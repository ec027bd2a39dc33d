#include "advisor/cli/completion.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "advisor/calibration.h"
#include "advisor/cli/flags.h"
#include "advisor/export/exporter.h"
#include "advisor/query/usage_error.h"
#include "advisor/shell/completion_words.h"
#include "advisor/shell/words.h"
#include "kernels/network.h"

namespace rightsize::cli {
namespace {

using Words = std::vector<std::string>;

template <typename Rows>
Words names_of(const Rows& rows) {
  Words names;
  for (const auto& row : rows) {
    names.emplace_back(row.name);
  }
  return names;
}

// Flags of several commands that take one of a few words, or a file of a kind.
struct FlagWords {
  std::string_view flag;
  std::string_view words;  // by blanks; one that begins with a dot: paths that end so, "/": any
};

constexpr std::array flag_words{FlagWords{"output", "table wide json jsonl csv md names"},
                                FlagWords{"phase",
                                          "train forward forward_backward infer decode"
                                          " preprocess"},
                                FlagWords{"engine", "cpu gpu replay"},
                                FlagWords{"precision", "fp32 tf32 fp16 bf16"},
                                FlagWords{"data", "jpeg recordio lmdb tfrecord tokens synthetic"},
                                FlagWords{"kind", "imagenet mnist cifar ptb imdb"},
                                FlagWords{"plan", "all adaptive"},
                                FlagWords{"format", "skypilot"},
                                FlagWords{"model", ".json"},
                                FlagWords{"batch-file", ".csv"},
                                FlagWords{"onnx", ".onnx"},
                                FlagWords{"db", "/"},
                                FlagWords{"prices", "/"},
                                FlagWords{"custom-prices", "/"},
                                FlagWords{"out-file", "/"},
                                FlagWords{"html", "/"},
                                FlagWords{"md", "/"},
                                FlagWords{"csv", "/"},
                                FlagWords{"json", "/"},
                                FlagWords{"trace", "/"},
                                FlagWords{"data-path", "/"},
                                FlagWords{"data-root", "/"},
                                FlagWords{"bench-folder", "/"},
                                FlagWords{"folder", "/"}};

Words paths(std::string_view word, std::string_view kind) {
  return shell::paths_from(word, kind == "/" ? "" : kind);
}

Words values_of(const std::string& flag, std::string_view word, shell::CatalogNames& names) {
  const auto few = std::find_if(
      flag_words.begin(), flag_words.end(), [&](const FlagWords& row) { return row.flag == flag; });
  if (few != flag_words.end()) {
    std::istringstream each{std::string(few->words)};
    Words found;
    for (std::string one; each >> one;) {
      if (one == "/" || one.starts_with('.')) {
        const auto files = paths(word, one);
        found.insert(found.end(), files.begin(), files.end());
      } else {
        found.push_back(one);
      }
    }
    return found;
  }
  if (flag == "to") {
    return names_of(exporters());
  }
  if (flag == "gpu") {
    return names_of(shipped_gpu_rates().gpus());
  }
  if (flag == "network") {
    auto found = names_of(network_titles());
    const auto files = paths(word, ".onnx");
    found.insert(found.end(), files.begin(), files.end());
    return found;
  }
  if (flag == "current" || flag == "as") {
    return names.instances();
  }
  return shell::values_of_setting(flag, names);
}

// What a command takes by position: its own words ("list|show"), else by what its help calls it.
Words by_position(const Command& command,
                  std::size_t position,
                  std::string_view word,
                  shell::CatalogNames& names) {
  const auto first = command.arguments.substr(0, command.arguments.find(' '));
  if (position == 0 && first.find('|') != std::string_view::npos) {
    std::istringstream each{std::string(first)};
    Words found;
    for (std::string one; std::getline(each, one, '|');) {
      found.push_back(one);
    }
    return found;
  }
  if (position == 0 && first == "[NETWORK]") {
    return names_of(network_titles());
  }
  if (position == 0 && first == "[NAME]") {
    return names_of(shipped_gpu_rates().gpus());
  }
  if (position > 0 &&
      (command.name == "what-if" || command.name == "explain" || command.name == "compare")) {
    auto found = names.instances();
    const auto supposed = command.name == "what-if" ? shell::suppositions() : Words();
    found.insert(found.end(), supposed.begin(), supposed.end());
    return found;
  }
  return paths(
      word,
      command.name == "report" || first.find(".toml") == std::string_view::npos ? "/" : ".toml");
}

// Where the cursor stands behind the command's own name.
struct Place {
  std::size_t position = 0;  // how many words were given by position
  std::string flag;          // the value of this one is next; without its dashes
};

Place place_behind(const Words& before, const std::vector<Flag>& flags) {
  Place place;
  for (const auto& word : before) {
    const auto flag = std::find_if(flags.begin(), flags.end(), [&](const Flag& f) {
      return f.name == word || f.brief == word;
    });
    if (!place.flag.empty()) {
      place.flag.clear();
    } else if (flag != flags.end() && flag->takes_value) {
      place.flag = flag->name.substr(2);
    } else if (!word.starts_with('-')) {
      ++place.position;
    }
  }
  return place;
}

Words words_behind(const Command& command, const Words& before, std::string_view word) {
  shell::CatalogNames names;
  const auto flags = flags_of(command.name);
  const auto place = place_behind(before, flags);
  if (!place.flag.empty()) {
    return values_of(place.flag, word, names);
  }
  return word.starts_with('-') ? names_of(flags)
                               : by_position(command, place.position, word, names);
}

Words command_names() {
  Words names{"help", "version"};
  for (const auto& command : commands()) {
    if (!command.hidden) {
      names.emplace_back(command.name);
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> completions_of(std::string_view line) {
  const auto blank = line.find_last_of(" \t");
  if (blank == std::string_view::npos) {
    return {};
  }
  const auto word = line.substr(blank + 1);
  Words before;
  try {
    before = shell::split(line.substr(0, blank));
  } catch (const UsageError&) {  // inside quotes, where no word of ours stands
    return {};
  }
  Words found;
  if (before.size() <= 1) {
    found = command_names();
  } else if (const auto* command = visible_command(before[1])) {
    found = words_behind(*command, {before.begin() + 2, before.end()}, word);
  }
  std::erase_if(found, [&](const std::string& name) { return !name.starts_with(word); });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace rightsize::cli
