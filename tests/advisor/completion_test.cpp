// What Tab offers, and that bash, zsh and fish ask for it.
#include "advisor/cli/completion.h"

#include <algorithm>
#include <fstream>
#include <optional>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/cli/flags.h"
#include "support/program.h"
#include "support/said_by.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;
using test::said_by;

namespace {

bool offers(const std::string& line, const std::string& word) {
  const auto found = cli::completions_of(line);
  return std::find(found.begin(), found.end(), word) != found.end();
}

// A script that sources what `completion SHELL` prints, run by that shell; nullopt without one.
std::optional<std::string> asked_of(const std::string& shell, const std::string& script) {
  if (said_by(shell + " -c true").code != 0) {
    MESSAGE("skipped: " << shell << " is not installed");
    return std::nullopt;
  }
  const TemporaryFolder folder;
  std::ofstream(folder / "completion") << run({"completion", shell}).out;
  std::ofstream(folder / "script") << script;
  const std::string binary = RIGHTSIZE_BINARY;
  return said_by(fmt::format("cd {} && PATH={}:$PATH {} {}",
                             folder / "",
                             binary.substr(0, binary.rfind('/')),
                             shell,
                             folder / "script"))
      .out;
}

}  // namespace

TEST_CASE("completion: commands, their flags, what a flag takes and what a place takes") {
  CHECK(cli::completions_of("rightsize adv") == std::vector<std::string>{"advise"});
  CHECK(offers("rightsize ", "what-if"));
  CHECK_FALSE(offers("rightsize ", "worker"));
  CHECK(offers("rightsize advise job.toml --dead", "--deadline"));
  CHECK_FALSE(offers("rightsize advise --", "--job"));  // it has a place
  CHECK(offers("rightsize predict --batch", "--batch-file"));
  CHECK(offers("rightsize advise --market s", "spot"));
  CHECK(offers("rightsize advise job.toml --infra aws/us", "aws/us-east-1"));
  CHECK(offers("rightsize size --gpu A10", "A10G"));
  CHECK(offers("rightsize profile resn", "resnet50"));
  CHECK(offers("rightsize profile --network vgg", "vgg16"));
  CHECK(offers("rightsize export job.toml --to k", "kubernetes"));
  CHECK(offers("rightsize advise -o j", "json"));
  CHECK(offers("rightsize prices ch", "check"));
  CHECK(offers("rightsize explain job.toml g6e.xl", "g6e.xlarge"));
  CHECK(offers("rightsize what-if job.toml g6e.xlarge vc", "vcpus="));
  CHECK(offers("rightsize completion z", "zsh"));
  CHECK(cli::completions_of("rightsize advise 'a job").empty());
  CHECK(cli::completions_of("rightsize worker --").empty());
}

TEST_CASE("completion: every flag of every command is one that --help lists") {
  for (const auto& command : cli::commands()) {
    const auto flags = cli::flags_of(command.name);
    CAPTURE(command.name);
    CHECK(flags.empty() == command.hidden);
    const auto help = command.hidden ? "" : run({std::string(command.name), "--help"}).out;
    for (const auto& flag : flags) {
      CHECK(help.find(flag.name) != std::string::npos);
    }
  }
}

TEST_CASE("completion: files of the kind that a place takes") {
  const auto examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/";
  CHECK(offers("rightsize advise " + examples + "jo", examples + "job.toml"));
  CHECK_FALSE(offers("rightsize advise " + examples, examples + "session"));
}

TEST_CASE("completion: bash asks, and puts in place what follows its own breaks of words") {
  const auto said = asked_of("bash", R"(source completion
ask() {
  COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=(rightsize); _rightsize 2>/dev/null
  echo "${COMPREPLY[*]}"
}
ask 'rightsize adv'
ask 'rightsize prices c'
ask 'rightsize export job.toml --to k'
)");
  REQUIRE(said);
  CHECK(*said == "advise\ncheck\nkubernetes\n");
}

TEST_CASE("completion: fish asks") {
  if (const auto said = asked_of("fish", "source completion\ncomplete -C 'rightsize adv'\n")) {
    CHECK(*said == "advise\n");
  }
}

TEST_CASE("completion: a shell it does not know") {
  const auto result = run({"completion", "tcsh"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("tcsh: which shell is it? rightsize completion bash, zsh or fish") !=
        std::string::npos);
}
