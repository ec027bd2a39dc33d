#include "profiler/command/user_command.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <utility>

#include <unistd.h>

#include "profiler/json_fields.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

struct SourceName {
  StepSource source;
  std::string_view word;
  std::string_view item;
  bool has_text;
};
constexpr std::array sources{SourceName{StepSource::protocol, "protocol", "items", false},
                             SourceName{StepSource::regex, "regex", "items", true},
                             SourceName{StepSource::file, "file", "items", true},
                             SourceName{StepSource::io, "io", "MB", false},
                             SourceName{StepSource::cpu, "cpu", "CPU-second/100", false},
                             SourceName{StepSource::exit, "exit", "runs", false}};

const SourceName& name_of(StepSource source) {
  return *std::find_if(sources.begin(), sources.end(), [&](const SourceName& name) {
    return name.source == source;
  });
}

bool is_pattern(const std::string& text) {
  try {
    const std::regex pattern(text);
    return true;
  } catch (const std::regex_error&) {
    return false;
  }
}

bool is_harmless(char c) {
  constexpr std::string_view marks = "-_./=:,+@%";
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         marks.find(c) != std::string_view::npos;
}

bool is_executable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<StepRule> parse_step_rule(std::string_view text) {
  const auto colon = text.find(':');
  const auto word = text.substr(0, colon);
  const auto rest = colon == std::string_view::npos ? "" : std::string(text.substr(colon + 1));
  for (const auto& name : sources) {
    if (name.word != word || name.has_text == rest.empty()) {
      continue;
    }
    if (name.source == StepSource::regex && !is_pattern(rest)) {
      return std::nullopt;
    }
    return StepRule{name.source, rest};
  }
  return std::nullopt;
}

std::string to_string(const StepRule& rule) {
  const auto& name = name_of(rule.source);
  return std::string(name.word) + (name.has_text ? ":" + rule.text : "");
}

std::string_view item_name(StepSource source) {
  return name_of(source).item;
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const auto& word : words) {
    line += line.empty() ? "" : " ";
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_harmless)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) {
      line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    line += '\'';
  }
  return line;
}

std::string short_name(const UserCommand& command) {
  constexpr std::array<std::string_view, 7> interpreters{
      "python", "python3", "bash", "sh", "perl", "ruby", "torchrun"};
  if (command.empty()) {
    return {};
  }
  const auto program = fs::path(command.words[0]).filename().string();
  if (std::find(interpreters.begin(), interpreters.end(), program) != interpreters.end()) {
    const auto script =
        std::find_if(command.words.begin() + 1, command.words.end(), [](const std::string& word) {
          return !word.starts_with('-');
        });
    // The word after -c or -m is no file; then the interpreter's name says as much.
    const bool is_file = script != command.words.end() && *(script - 1) != "-c" &&
                         *(script - 1) != "-m" && fs::path(*script).has_extension();
    if (is_file) {
      return fs::path(*script).filename().string();
    }
  }
  return program;
}

std::optional<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return is_executable(name) ? std::optional(name) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    const auto folder = colon == 0 ? std::string_view(".") : rest.substr(0, colon);
    const auto candidate = fs::path(folder) / name;
    if (is_executable(candidate)) {
      return candidate.string();
    }
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return std::nullopt;
}

boost::json::object to_json(const UserCommand& command) {
  FieldWriter writer;
  writer("words", command.words);
  writer("steps", to_string(command.steps));
  writer("items_per_step", command.items_per_step);
  writer.optional("environment", command.environment);
  writer.optional("files", command.files);
  return writer.take();
}

UserCommand user_command_from_json(const boost::json::object& object) {
  const FieldReader reader(object, "command");
  UserCommand command;
  reader("words", command.words);
  reader("items_per_step", command.items_per_step);
  reader.optional("environment", command.environment);
  reader.optional("files", command.files);
  const auto text = reader.text("steps");
  const auto rule = parse_step_rule(text);
  if (!rule) {
    throw RecordError(fmt::format("command.steps: \"{}\" says no way to see steps", text));
  }
  command.steps = *rule;
  return command;
}

}  // namespace rightsize
