// Flags as people mistype and repeat them.
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

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
        "error: unknown option --gpsu, did you mean --gpu?\n");
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

TEST_CASE("flags: a number that cannot be is told by its flag, with what was expected") {
  const auto refused = [](const std::vector<std::string>& flags, const std::string& why) {
    std::vector<std::string> arguments{"predict"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const auto result = run(arguments);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find(why) != std::string::npos);
  };
  refused({"--gpu-rate", "nan"}, "--gpu-rate nan: expected a number that is not negative: items/s");
  refused({"--gpu-rate", "inf"}, "--gpu-rate inf: expected a number");
  refused({"--cpus", "-3"}, "--cpus -3: expected a number above 0 and at most 10000");
  refused({"--cpus", "0"}, "--cpus 0: expected a number above 0 and at most 10000");
  refused({"--batch", "1e12"}, "--batch 1e12: expected a whole number");
}

TEST_CASE("flags: every place takes the same batches") {
  const std::string limit = "a whole number of items per GPU, from 1 to 65536";
  const auto said = [&](const std::vector<std::string>& arguments) {
    const auto result = run(arguments);
    CAPTURE(result.err);
    CHECK(result.code != cli::exit_ok);
    return (result.out + result.err).find(limit) != std::string::npos;
  };
  CHECK(said({"predict", "--batch", "65537"}));
  CHECK(said({"predict", "--machine", "gpu=T4", "--batch", "65537"}));
  CHECK(said({"advise", job, "--batch", "65537"}));
  const TemporaryFolder folder;
  const auto rows = folder.write("rows.csv", "network,gpu,batch\nresnet50,T4,65537\n");
  CHECK(said({"predict", "--batch-file", rows}));
  const auto asked = folder.write("job.toml", "[job]\nbatch_per_gpu = 65537\n");
  CHECK(said({"advise", asked}));
}

TEST_CASE("flags: a load is refused by its name, where the job is no service") {
  const auto train = run({"advise", job, "--qps", "5"});
  CHECK(train.code == cli::exit_usage);
  CHECK(train.err.find("--qps 5: it is of a service, and ") != std::string::npos);
  CHECK(train.err.find("phase = \"train\"") != std::string::npos);
  CHECK(train.err.find("phase = \"decode\" takes it once it has [service]") != std::string::npos);
}
