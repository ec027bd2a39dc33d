#include "profiler/command/unseen_steps.h"

#include <filesystem>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "profiler/command/example_line.h"

namespace rightsize {
namespace {

bool has_match(const std::string& pattern,
               std::string_view printed,
               std::regex::flag_type flags = std::regex::ECMAScript) {
  const std::regex regex(pattern, flags);
  std::istringstream lines{std::string(printed)};
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line.substr(0, 1024), regex)) {
      return true;
    }
  }
  return false;
}

// What the rule waited for in vain. A pattern's first number is where counting starts.
std::string awaited(const StepRule& rule, const ShownInstead& shown) {
  switch (rule.source) {
    case StepSource::regex:
      return has_match(rule.text, shown.printed)
                 ? fmt::format(
                       "--steps {} counts from the first number that it matches, and no "
                       "second one came",
                       to_string(rule))
                 : fmt::format("no line that it printed matched --steps {}", to_string(rule));
    case StepSource::file:
      return fmt::format("--steps {}: {}",
                         to_string(rule),
                         shown.file_exists ? "the file showed no step" : "there is no such file");
    case StepSource::protocol:
      return "it wrote no \"step\" to the descriptor in RIGHTSIZE_STEP_FD (--steps protocol, the "
             "default)";
    case StepSource::io:
      return "it read no megabyte (--steps io)";
    case StepSource::cpu:
      return "it used no hundredth of a CPU-second (--steps cpu)";
    case StepSource::exit:
      return "it did not end (--steps exit)";
  }
  return "no step was seen";
}

// A line that would have been a step, or another way to see one.
std::string remedy(const StepRule& rule, const ShownInstead& shown) {
  switch (rule.source) {
    case StepSource::protocol:
      return "; say how its steps are seen, as in --steps 'regex:step (\\d+)' or --steps cpu";
    case StepSource::file:
      return "; the program has to write the number of its last step there (the path is also in "
             "its variable RIGHTSIZE_STEP_FILE)";
    case StepSource::regex:
      break;
    default:
      return "";
  }
  if (has_match(rule.text, shown.printed)) {
    return "";
  }
  if (has_match(rule.text, shown.printed, std::regex::ECMAScript | std::regex::icase)) {
    return "; a line differs from the pattern in capital letters only";
  }
  const auto example = example_line(rule.text);
  return example ? fmt::format("; a line such as \"{}\" would be a step", *example) : "";
}

// Up to three of the last, the oldest first: what the program is about.
std::string last_lines(std::string_view printed) {
  constexpr int most = 3;
  std::string text;
  int count = 0;
  for (auto line = last_line(printed); count < most && !line.empty(); line = last_line(printed)) {
    text = fmt::format("\"{}\"{}{}", line, count == 0 ? "" : ", ", text);
    ++count;
    const auto last = printed.find_last_not_of(" \t\n\r");
    const auto end = printed.find_last_of("\n\r", last);
    printed = printed.substr(0, end == std::string_view::npos ? 0 : end);
  }
  return count == 0 ? "it printed nothing"
                    : fmt::format("the last line{} {}", count == 1 ? " was" : "s were", text);
}

}  // namespace

std::string last_line(std::string_view text) {
  constexpr std::size_t most = 120;
  constexpr std::string_view ends = "\n\r";
  const auto end = text.find_last_not_of(" \t\n\r");
  if (end == std::string_view::npos) {
    return {};
  }
  text = text.substr(0, end + 1);
  const auto begin = text.find_last_of(ends);
  text = text.substr(begin == std::string_view::npos ? 0 : begin + 1);
  return std::string(text.substr(0, most)) + (text.size() > most ? "..." : "");
}

std::string unseen_steps(const StepRule& rule, const ShownInstead& shown) {
  return fmt::format(
      "{}; {}{}", awaited(rule, shown), last_lines(shown.printed), remedy(rule, shown));
}

bool saw_no_step(std::string_view reason) {
  return reason.find("ended without a step") != std::string_view::npos;
}

std::string unseen_steps(const StepRule& rule, std::string_view printed) {
  std::error_code ignored;
  return unseen_steps(rule, ShownInstead{printed, std::filesystem::exists(rule.text, ignored)});
}

}  // namespace rightsize
