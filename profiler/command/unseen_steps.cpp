#include "profiler/command/unseen_steps.h"

#include <regex>
#include <sstream>

#include <fmt/format.h>

namespace rightsize {
namespace {

bool has_match(const std::string& pattern, std::string_view printed) {
  const std::regex regex(pattern);
  std::istringstream lines{std::string(printed)};
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, regex)) {
      return true;
    }
  }
  return false;
}

// What the rule waited for in vain. A pattern's first number is where counting starts.
std::string awaited(const StepRule& rule, std::string_view printed) {
  switch (rule.source) {
    case StepSource::regex:
      return has_match(rule.text, printed)
                 ? fmt::format(
                       "--steps {} counts from the first number that it matches, and no "
                       "second one came",
                       to_string(rule))
                 : fmt::format("no line that it printed matched --steps {}", to_string(rule));
    case StepSource::file:
      return fmt::format("--steps {}: the file showed no step", to_string(rule));
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

std::string remedy(const StepRule& rule) {
  return rule.source == StepSource::protocol
             ? R"(; say how its steps are seen, as in --steps 'regex:step (\d+)' or --steps cpu)"
             : "";
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

std::string unseen_steps(const StepRule& rule, std::string_view printed) {
  const auto line = last_line(printed);
  return fmt::format(
      "{}; {}{}",
      awaited(rule, printed),
      line.empty() ? "it printed nothing" : fmt::format("the last line was \"{}\"", line),
      remedy(rule));
}

}  // namespace rightsize
