// --help of every command: all its flags, under headings where there are many, in lines that fit.
#include "advisor/cli/help.h"

#include <sstream>

#include <doctest/doctest.h>

#include "advisor/cli/flags.h"
#include "advisor/report/table.h"
#include "support/program.h"

using namespace rightsize;

namespace {

std::string help(std::string_view command) {
  return test::run({std::string(command), "--help"}).out;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("help: no line of any command is wider than 98 columns") {
  for (const auto& command : cli::commands()) {
    std::istringstream lines(command.hidden ? "" : help(command.name));
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      CHECK(report::display_width(line) <= cli::help_columns);
    }
  }
}

TEST_CASE("help: many flags stand under headings, every one of them once") {
  for (const auto* command : {"advise", "predict", "size", "simulate", "profile", "report"}) {
    const auto text = help(command);
    CAPTURE(command);
    for (const auto& flag : cli::options_of(command)) {
      CAPTURE(flag.name);
      CHECK(times(text, "\n  " + flag.name + " ") + times(text, "\n  " + flag.name + "\n") +
                times(text, "\n  " + flag.brief + ", " + flag.name) ==
            1);
      CHECK(cli::heading_of(command, flag.name.substr(2)) != "Other");
    }
    for (const auto* heading : {"\nJob:\n", "\nTraining:\n", "\nOutput:\n"}) {
      CHECK(times(text, heading) == 1);
    }
  }
  CHECK(help("advise").find("\nMoney:\n") < help("advise").find("--currency"));
  CHECK(cli::heading_of("size", "utilisation") == "Goals");
  CHECK(cli::heading_of("advise", "utilisation") == "Money");
  CHECK(times(help("fit"), "\noptions:\n") == 1);
}

TEST_CASE("help: a long example can be pasted as it stands") {
  const auto text = help("simulate");
  CHECK(text.find(" \\\n      ") != std::string::npos);
  CHECK(cli::help_lines("one two", 92, 4) == "one\n    two");
  CHECK(cli::help_lines("one two", 91, 4) == "one two");
}
