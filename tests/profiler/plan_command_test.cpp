// Programs of a campaign: how their words are written, and when one is another run.
#include <filesystem>
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "profiler/campaign/plan.h"
#include "profiler/command/named_files.h"
#include "support/plan_text.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const auto parse = test::parsed_plan;
const auto error_of = test::plan_error;

}  // namespace

TEST_CASE("plan: a command is a list of words, or a line with quotes as a shell reads it") {
  const auto words = [](const std::string& command) {
    return parse("[[run]]\nname = \"a\"\ncommand = " + command + "\n").runs.at(0).command.words;
  };
  CHECK(words(R"('python3 -c "import time"')") == words(R"(["python3", "-c", "import time"])"));
  CHECK(error_of("[[run]]\nname = \"a\"\ncommand = \"python3 'train.py\"\n")
            .find("expected a program with its arguments") != std::string::npos);
  for (const auto* line : {"python3 a.py | tee log", "python3 a.py > log", "FOO=1 python3 a.py"}) {
    CAPTURE(line);
    CHECK(error_of(fmt::format("[[run]]\nname = \"a\"\ncommand = \"{}\"\n", line))
              .find(R"(needs ["sh", "-c", "..."])") != std::string::npos);
  }
  CHECK(words(R"('sh -c "echo a | tee log"')").size() == 3);
  CHECK(words(R"(["env", "FOO=1", "true", "|"])").size() == 4);
}

TEST_CASE("plan: a list outside axes, and a file that lies beside the campaign's, are told") {
  CHECK(error_of("[[run]]\nname = \"a\"\ncpus = [0.5, 1]\n")
            .find("a list of values goes under axes = {cpus = [...]}") != std::string::npos);
  const TemporaryFolder folder;
  folder.write("only-there.sh", "true\n");
  const auto file = folder.write("c.toml",
                                 "name = \"c\"\n[[run]]\nname = \"a\"\n"
                                 "command = [\"sh\", \"only-there.sh\"]\n");
  CHECK_THROWS_WITH_AS(static_cast<void>(load_plan(file)),
                       doctest::Contains("only-there.sh is not in the current folder"),
                       PlanError);
}

TEST_CASE("run id: an edited program is another run, and so is one without control groups") {
  const TemporaryFolder folder;
  const auto script = folder / "train.sh";
  const auto spec_of = [&](bool no_throttle = false) {
    PlanOptions options;
    options.no_throttle = no_throttle;
    const auto text = "[[run]]\nname = \"a\"\ncommand = [\"sh\", \"" + script +
                      "\", \"--config=" + folder / "none.toml" + "\"]\nsteps = \"exit\"\n";
    return parse_plan(text, "c.toml", options).runs.at(0);
  };
  std::ofstream(script) << "echo one\n";
  const auto first = spec_of();
  CHECK(first.command.files.size() == 1);  // sh is looked up in PATH, none.toml is none
  CHECK(first.command.files.at(script).size() == 16);
  CHECK(run_id(spec_of()) == run_id(first));
  CHECK(run_spec_from_json(to_json(first)) == first);
  std::ofstream(script) << "echo two\n";
  CHECK(run_id(spec_of()) != run_id(first));
  std::ofstream(script) << "echo one\n";
  CHECK(run_id(spec_of()) == run_id(first));
  CHECK(run_id(spec_of(true)) != run_id(first));
  CHECK(run_spec_from_json(to_json(spec_of(true))).no_throttle);
  CHECK(repro_line(spec_of(true)).find(" --no-throttle -- sh ") != std::string::npos);
  const auto option = named_files({"sh", "--script=" + script, folder.path()});
  CHECK(option.size() == 1);
  CHECK(option.count(script) == 1);
}

TEST_CASE("plan: a program is another one too when a source beside it was edited") {
  const TemporaryFolder folder;
  const auto script = folder / "train.py";
  std::ofstream(script) << "import net.layers\n";
  std::filesystem::create_directories(folder / "net");
  std::filesystem::create_directories(folder / ".venv");
  std::ofstream(folder / ".venv/other.py") << "1\n";
  std::ofstream(folder / "notes.txt") << "1\n";
  const auto alone = named_files({"python3", script});
  CHECK(alone.size() == 1);
  std::ofstream(folder / "net/layers.py") << "width = 1\n";
  const auto first = named_files({"python3", script});
  REQUIRE(first.size() == 2);
  CHECK(first.count(folder / "*.py") == 1);
  std::ofstream(folder / "notes.txt") << "2\n";
  std::ofstream(folder / ".venv/other.py") << "2\n";
  CHECK(named_files({"python3", script}) == first);
  const auto kept = folder / "wandb/run-20261125_101500-3x/code";  // copies that a run keeps
  std::filesystem::create_directories(kept);
  std::ofstream(kept + "/train.py") << "import net.layers\n";
  std::filesystem::create_directories(folder / "pictures");
  for (int i = 0; i < 1001; ++i) {
    std::ofstream(folder / fmt::format("pictures/{}.txt", i)) << i;
  }
  CHECK(named_files({"python3", script}) == first);
  std::ofstream(folder / "net/layers.py") << "width = 2\n";
  CHECK(named_files({"python3", script}) != first);
  for (int i = 0; i < 1001; ++i) {
    std::ofstream(folder / fmt::format("{}.txt", i)) << i;
  }
  CHECK(named_files({"python3", script}) == alone);  // a folder of data
}
