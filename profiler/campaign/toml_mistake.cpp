#include "profiler/campaign/toml_mistake.h"

#include <array>

namespace rightsize {
namespace {

struct Mistake {
  std::string_view parsing;  // what toml++ was in the middle of; empty: anything
  std::string_view problem;
  std::string_view words;
};

// The first that fits.
constexpr std::array mistakes{
    Mistake{"string", "control characters", R"(a string is not closed: end it on its line with ")"},
    Mistake{
        "string", "end-of-file", R"(a string is not closed: end it with the quotes it began with)"},
    Mistake{"string", "escape", R"(a \ in a string: write it twice, or put the string in '...')"},
    Mistake{"array", "", "an array is not closed or lacks a comma: expected [1, 2]"},
    Mistake{
        "inline table", "", "a table in braces is not closed: expected {key = value}, on one line"},
    Mistake{"table header", "", "a heading is not closed: expected [name] or [[name]]"},
    Mistake{"key-value pair", "expected value", "a value is missing: expected key = value"},
    Mistake{"key-value pair", "expected '='", "expected key = value"},
    Mistake{"key-value pair",
            "expected a comment",
            "something follows the value: give each key a line of its own"},
    Mistake{"root table", "", "expected key = value, or a heading [name]"},
    Mistake{"boolean", "", R"(expected true, false, or a string in "...")"},
    Mistake{"integer", "representable", "a whole number beyond 9.2e18"},
    Mistake{"integer", "", R"(not a number: put words and units in "...", as "64GiB")"},
    Mistake{"floating-point", "", R"(not a number: put words and units in "...", as "1.5h")"}};

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// "cannot redefine existing integer 'qps' as string" -> "qps"
std::string_view defined_twice(std::string_view problem) {
  constexpr std::string_view begins = "cannot redefine existing ";
  const auto first = problem.find('\'');
  const auto last = problem.find('\'', first + 1);
  return problem.starts_with(begins) && last != std::string_view::npos
             ? problem.substr(first + 1, last - first - 1)
             : std::string_view();
}

}  // namespace

std::string toml_mistake(std::string_view description) {
  const auto colon = description.find(": ");
  const auto parsing = description.substr(0, colon);
  const auto problem =
      colon == std::string_view::npos ? std::string_view() : description.substr(colon + 2);
  if (has(problem, "cannot redefine")) {
    const std::string key(defined_twice(problem));
    return (key.empty() ? "this" : '"' + key + '"') + " is in the file twice: keep one";
  }
  for (const auto& mistake : mistakes) {
    if (has(parsing, mistake.parsing) && has(problem, mistake.problem)) {
      return std::string(mistake.words);
    }
  }
  return "not TOML: " + std::string(description);
}

}  // namespace rightsize
