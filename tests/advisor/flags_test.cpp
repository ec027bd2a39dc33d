// Flags as people mistype and repeat them.
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"

using namespace rightsize;

namespace {

test::Result run(const std::vector<std::string>& arguments) {
  return test::run_without_model(arguments);
}

const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";

}  // namespace

TEST_CASE("flags: one that is no slip of another is not answered with a guess") {
  CHECK(run({"advise", "--foo", "x"}).err == "error: unknown option --foo\n");
  CHECK(run({"advise", "--alow", "x"}).err ==
        "error: unknown option --alow, did you mean --allow?\n");
  CHECK(run({"advise", "--gpsu", "8"}).err ==
        "error: unknown option --gpsu, did you mean --gpus?\n");
}

TEST_CASE("flags: --allow and --deny may be given several times") {
  const auto result = run({"advise",
                           job,
                           "--allow",
                           "^g5",
                           "--allow",
                           "^g6",
                           "--deny",
                           "48xlarge",
                           "--deny",
                           "24xlarge",
                           "-o",
                           "names"});
  CHECK(result.code == cli::exit_ok);
  CHECK(result.out.find("g5.") != std::string::npos);
  CHECK(result.out.find("g6e.") != std::string::npos);
  for (const auto* other : {"p4d.", "48xlarge", "24xlarge"}) {
    CHECK(result.out.find(other) == std::string::npos);
  }
}
