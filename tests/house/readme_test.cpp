// Every `rightsize` command the README shows is run, in order, in a folder of its own, with the
// committed records as the only evidence. `./dev test` is what runs this; `./dev demo` is the same
// commands and five minutes of measuring, which advisor_slow_test does in small.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const std::string root = RIGHTSIZE_SOURCE_DIR;

// Lines of ```sh blocks, and "$ " lines of plain blocks; comments cut.
std::vector<std::string> commands_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> commands;
  std::string fence;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      fence = fence.empty() ? line : "";
      continue;
    }
    if (fence == "```sh") {
      commands.push_back(line.substr(0, line.find("  #")));
    } else if (!fence.empty() && line.starts_with("$ ")) {
      commands.push_back(line.substr(2));
    }
  }
  return commands;
}

struct Shown {
  std::string command;
  std::vector<std::string> lines;  // of its output
};

// What plain blocks show: a command and lines of what it prints.
std::vector<Shown> shown_in(const std::string& path) {
  std::ifstream in(path);
  std::vector<Shown> shown;
  std::string fence;
  for (std::string line; std::getline(in, line);) {
    const bool inside = fence == "```";
    if (line.starts_with("```")) {
      fence = fence.empty() ? line : "";
    } else if (inside && line.starts_with("$ ")) {
      shown.push_back({line.substr(2), {}});
    } else if (inside && !shown.empty() && !line.empty()) {
      shown.back().lines.push_back(line);
    }
  }
  return shown;
}

// A pipe fails where any part of it does: a reader would see that.
int shell(const std::string& command, std::string& output) {
  setenv("SHOWN_COMMAND", command.c_str(), 1);
  FILE* pipe = popen("bash -o pipefail -c \"$SHOWN_COMMAND\" 2>&1", "r");
  char buffer[4096];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) {
    output.append(buffer, n);
  }
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// What goes before a command so that it runs as a reader of the README types it: beside the
// examples, the program on the path, a store and a model of its own.
std::string reader_in(const TemporaryFolder& folder) {
  std::string output;
  REQUIRE(shell(fmt::format("ln -s {}/examples {}/examples", root, folder.path()), output) == 0);
  return fmt::format(
      "cd {} && export RIGHTSIZE_DB=records.db RIGHTSIZE_MODEL=model.json && "
      "rightsize() {{ {} \"$@\"; }} && ",
      folder.path(),
      RIGHTSIZE_BINARY);
}

// A server is there until it is told to end.
std::string ended(const std::string& command) {
  const std::string serve = "rightsize serve ";
  return command.starts_with(serve)
             ? fmt::format("timeout --preserve-status -s INT 3 {} serve {} --port 0",
                           RIGHTSIZE_BINARY,
                           command.substr(serve.size()))
             : command;
}

}  // namespace

TEST_CASE("readme: every rightsize command it shows runs") {
  const TemporaryFolder folder;
  std::string output;
  // The first commands of the README are shown with a model already fitted.
  const auto setup = reader_in(folder);
  REQUIRE(shell(setup + "rightsize fit examples/measurements/demo.jsonl", output) == 0);
  int run = 0;
  for (const auto& command : commands_of(root + "/README.md")) {
    if (!command.starts_with("rightsize ")) {
      CAPTURE(command);
      CHECK(command.starts_with("./dev "));
      continue;
    }
    output.clear();
    const int code = shell(setup + ended(command), output);
    CAPTURE(command);
    CAPTURE(output);
    // On a machine shared with others a measurement may be too noisy to trust. That it says so is
    // what the README promises; every other end is a failure.
    const bool too_noisy = command.starts_with("rightsize profile ") &&
                           output.find("untrusted: ") != std::string::npos &&
                           output.find("failed") == std::string::npos;
    CHECK((code == 0 || too_noisy));
    ++run;
  }
  CHECK(run >= 14);
  // Who types them in a clone finds `git status` as it was.
  if (shell("git -C " + root + " rev-parse --git-dir", output) != 0) {
    MESSAGE("skipped: this is no clone, and git cannot say what it would ignore");
    return;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const auto name = entry.path().filename().string();
    const bool ours = name == "examples" || name.starts_with("records.db") || name == "model.json";
    CAPTURE(name);
    CHECK((ours || shell(fmt::format("git -C {} check-ignore -q {}", root, name), output) == 0));
  }
}

TEST_CASE("readme: every command of the founding experiments runs, their campaigns as plans") {
  const TemporaryFolder folder;
  std::string output;
  const auto setup = reader_in(folder) +  // the shipped model
                     fmt::format("unset RIGHTSIZE_MODEL && export HOME={} && ", folder.path());
  const std::string founding = root + "/examples/founding";
  std::vector<std::string> pages{founding + "/README.md"};  // it makes the data: the first
  for (const auto& entry : std::filesystem::directory_iterator(founding)) {
    if (entry.is_directory()) {
      pages.push_back(entry.path().string() + "/README.md");
    }
  }
  for (const auto& page : pages) {
    for (auto command : commands_of(page)) {
      const bool measures_long = command.starts_with("rightsize campaign ") &&
                                 command.find("--dry-run") == std::string::npos;
      command.insert(std::min(command.find(" |"), command.size()),
                     measures_long ? " --dry-run" : "");
      output.clear();
      const int code = shell(setup + command, output);
      CAPTURE(page);
      CAPTURE(command);
      CAPTURE(output);
      const bool too_noisy = command.starts_with("rightsize profile ") &&
                             output.find("untrusted: ") != std::string::npos;
      CHECK((code == 0 || too_noisy));
    }
  }
  CHECK(pages.size() >= 13);
}

// Lines may be left out, not be others.
TEST_CASE("readme: what the pages show is what is printed") {
  const TemporaryFolder folder;
  std::string output;
  const auto setup = reader_in(folder) +  // the shipped model
                     fmt::format("unset RIGHTSIZE_MODEL && export HOME={} && ", folder.path());
  std::vector<std::string> pages{root + "/README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root + "/examples/founding")) {
    if (entry.is_directory()) {
      pages.push_back(entry.path().string() + "/README.md");
    }
  }
  int compared = 0;
  for (const auto& page : pages) {
    for (const auto& [command, lines] : shown_in(page)) {
      const bool asks = command.starts_with("rightsize ") &&
                        command.find("profile") == std::string::npos &&
                        command.find("doctor") == std::string::npos &&
                        command.find("records") == std::string::npos;
      if (!asks) {
        continue;  // what is measured differs from day to day
      }
      CAPTURE(page);
      CAPTURE(command);
      output = "\n";
      CHECK(shell(setup + command, output) == 0);
      for (const auto& line : lines) {
        CAPTURE(line);
        CHECK(fmt::format("{}\n", output).find("\n" + line + "\n") != std::string::npos);
        ++compared;
      }
    }
  }
  CHECK(compared > 150);
}

TEST_CASE("readme: the script offers what the README names") {
  std::string output;
  shell(root + "/dev help", output);
  for (const auto* word : {"demo", "test", "bench", "validate"}) {
    CHECK(output.find(word) != std::string::npos);
  }
}
