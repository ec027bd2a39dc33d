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

TEST_CASE("flags: what people know by another name is told by ours") {
  const auto said = [](const std::vector<std::string>& arguments) { return run(arguments).err; };
  CHECK(said({"advise", job, "--spot"}) ==
        "error: unknown option --spot, did you mean --market spot?\n");
  CHECK(said({"advise", job, "--json"}) == "error: unknown option --json, did you mean -o json?\n");
  CHECK(said({"advise", job, "--provider", "aws"}).find("--infra aws?") != std::string::npos);
  CHECK(said({"size", "--instance-type", "x"}).find("did you mean") == std::string::npos);
  CHECK(said({"advise", job, "--infra", "google"})
            .find("google is called gcp here: did you mean gcp?") != std::string::npos);
  CHECK(said({"advise", job, "--infra", "EC2/us-*"}).find("did you mean aws/us-*?") !=
        std::string::npos);
  CHECK(said({"advise", job, "--infra", "us-east-1"})
            .find("us-east-1 is a region: --region us-east-1, or --infra aws/us-east-1") !=
        std::string::npos);
  CHECK(said({"predict", "--machine", "8xA100"})
            .find("a machine is described by its parts: gpu=A100:8") != std::string::npos);
  CHECK(said({"predict", "--machine", "H100"}).find("gpu=H100:1") != std::string::npos);
}

TEST_CASE("flags: markets are read in any case") {
  const auto in = [](const char* market) {
    return run({"advise", job, "--market", market, "--infra", "aws", "-o", "names"});
  };
  CHECK(in("Spot").code == cli::exit_ok);
  CHECK(in("Spot").out == in("spot").out);
  CHECK(run({"prices", "show", "--infra", "aws", "--gpu", "A10G", "--market", "SPOT"}).out ==
        run({"prices", "show", "--infra", "aws", "--gpu", "A10G", "--market", "spot"}).out);
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
