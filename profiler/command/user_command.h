// The user's own program as the work of a run: what is executed, and how its steps are seen. The
// program is not changed; limits are imposed from outside.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

namespace rightsize {

// How steps are found:
//   protocol  lines that the program writes to the descriptor in RIGHTSIZE_STEP_FD
//   regex     lines of its output; a first group that is a number counts steps up to now
//   file      a file it writes: the number in its last line, or how many lines it has
//   io        megabytes it has read (10^6 bytes, files and pipes, cached or not)
//   cpu       hundredths of a CPU-second it has used
//   exit      the whole command, again and again
enum class StepSource { protocol, regex, file, io, cpu, exit };

struct StepRule {
  StepSource source = StepSource::protocol;
  std::string text;  // the pattern, or the path

  bool operator==(const StepRule&) const = default;
};

// "regex:step (\d+)", "file:/tmp/steps", "protocol", "io", "cpu", "exit"; nullopt when it is none
// of them, or the pattern is no regular expression.
[[nodiscard]] std::optional<StepRule> parse_step_rule(std::string_view text);
[[nodiscard]] std::string to_string(const StepRule& rule);

// What is counted, as reports call it: "items", "MB", "CPU-second/100", "runs".
[[nodiscard]] std::string_view item_name(StepSource source);

struct UserCommand {
  std::vector<std::string> words;  // empty: the run is of our own kernels
  StepRule steps;
  int items_per_step = 1;
  std::vector<std::string> environment = {};      // "NAME=value", set for the program
  std::map<std::string, std::string> files = {};  // those its words name: digests of their content

  [[nodiscard]] bool empty() const { return words.empty(); }
  bool operator==(const UserCommand&) const = default;
};

// Pastes back into a POSIX shell.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words);

// What to call it: the script of an interpreter, else the program; without folders.
[[nodiscard]] std::string short_name(const UserCommand& command);

// Where the program lies: as given when it has a slash, else by PATH. nullopt when it is nowhere
// or may not be executed.
[[nodiscard]] std::optional<std::string> find_program(const std::string& name);

[[nodiscard]] boost::json::object to_json(const UserCommand& command);
// Throws RecordError naming the field.
[[nodiscard]] UserCommand user_command_from_json(const boost::json::object& object);

}  // namespace rightsize
