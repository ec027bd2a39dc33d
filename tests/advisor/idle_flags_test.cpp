// Flags that change nothing are said to; those that contradict one another are refused.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/made_model.h"
#include "support/program.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

}  // namespace

TEST_CASE("cli: a flag of advise that changes nothing is said to") {
  const ModelFile model;
  const auto said = [&](const std::string& flag, const std::string& value) {
    const auto result =
        run({"advise", job, "--infra", "aws", "--model", model.path(), flag, value});
    CAPTURE(result.err);
    return result.out.find(flag + " changes nothing here: ") != std::string::npos;
  };
  CHECK(said("--runs-per-month", "3"));
  CHECK(said("--net", "ib:100"));
  CHECK(said("--utilisation", "60%"));
  CHECK_FALSE(said("--nodes-max", "2"));
}

TEST_CASE("cli: what is reserved today is as well asked about as what could be") {
  const ModelFile model;
  const auto result = run({"advise",
                           job,
                           "--infra",
                           "aws",
                           "--model",
                           model.path(),
                           "--reserved-discount",
                           "40%",
                           "--utilisation",
                           "60%",
                           "--current",
                           "g5.xlarge [1Y]"});
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  CHECK(result.out.find("changes nothing here") == std::string::npos);
}

TEST_CASE("cli: what contradicts itself is refused, not half of it taken") {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& why) {
    const auto result = run(arguments);
    CAPTURE(result.err);
    return result.code == cli::exit_usage && result.err.find(why) != std::string::npos;
  };
  CHECK(refused({"what-if", job, "g5.xlarge", "vcpus=24", "cpus=48"}, "vcpus is supposed twice"));
  CHECK(refused({"predict", "--gpu-rate", "1400", "--resident", "64GiB", "--memory", "32GiB"},
                "more than --memory 32GiB has room for"));
  CHECK(refused({"simulate",
                 "--network",
                 "resnet50",
                 "--machine",
                 "gpu=T4",
                 "--serve",
                 "--qps",
                 "100",
                 "--simulated-items",
                 "10"},
                "the 99th percentile takes 1000 or more"));
}

TEST_CASE("cli: where nothing satisfies, the question is not offered again in another form") {
  const ModelFile model;
  const auto result =
      run({"advise", job, "--infra", "aws", "--deadline", "5min", "--model", model.path()});
  CHECK(result.code == cli::exit_nothing_satisfies);
  CHECK(result.out.find("Next: ") == std::string::npos);
  CHECK(result.out.find("warning: ") != std::string::npos);  // what would be met
}
