// Offers that are not to be had as the table has them: retired by their provider, or of no region.
#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

}  // namespace

TEST_CASE("cli: what a provider has retired is rejected with the day, unless it is asked for") {
  const ModelFile model;
  const auto advised = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"advise",
                                       job,
                                       "--infra",
                                       "azure",
                                       "--deadline",
                                       "10000d",
                                       "--allow",
                                       "^Standard_NC(6|12)$",
                                       "--model",
                                       model.path(),
                                       "-o",
                                       "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  const auto today = advised({});
  CHECK(today.code == cli::exit_nothing_satisfies);
  const auto reasons = boost::json::serialize(boost::json::parse(today.out).at("rejected"));
  CHECK(reasons.find("retired by the provider on 2023-09-06") != std::string::npos);
  CHECK(advised({"--retired"}).code == cli::exit_ok);
  const auto checked = run({"prices", "check", "--max-results", "0"});
  CHECK(checked.code == cli::exit_ok);
  CHECK(checked.out.find("Standard_NC6: retired by the provider on 2023-09-06") !=
        std::string::npos);
}

TEST_CASE("cli: machines of an era's book, and of a table of those years, are not held retired") {
  const ModelFile model;
  const std::vector<std::string> asked{
      "advise", job, "--model", model.path(), "--deadline", "10000d", "--allow", "^p3[.]2xlarge$"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), asked.begin(), asked.end());
    return run(more);
  };
  CHECK(with({"--infra", "aws"}).code == cli::exit_nothing_satisfies);
  CHECK(with({"--infra", "aws", "--book", "era-2017"}).code == cli::exit_ok);
  const TemporaryFolder folder;
  const auto table = [&](const char* as_of) {
    return folder.write(std::string("aws-") + as_of + ".csv",
                        std::string("Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,"
                                    "AcceleratorCount,Region,Price,AsOf\n"
                                    "aws,p3.2xlarge,8,61,V100,1,us-east-1,3.06,") +
                            as_of + "\n");
  };
  CHECK(with({"--prices", table("2017-11-12")}).code == cli::exit_ok);
  CHECK(with({"--prices", table("2026-11-01")}).code == cli::exit_nothing_satisfies);
  // Rows of one table are judged each by its own day, whichever comes first.
  for (const bool old_first : {true, false}) {
    const auto row = [](const char* region, const char* as_of) {
      return std::string("aws,p3.2xlarge,8,61,V100,1,") + region + ",3.06," + as_of + "\n";
    };
    const auto old = row("us-east-1", "2017-11-12");
    const auto recent = row("us-west-2", "2026-11-01");
    const auto both = folder.write("both.csv",
                                   "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,"
                                   "AcceleratorCount,Region,Price,AsOf\n" +
                                       (old_first ? old + recent : recent + old));
    const auto answer = with({"--prices", both, "-o", "names"});
    CHECK(answer.code == cli::exit_ok);
    CHECK(with({"--prices", both}).out.find("us-west-2") == std::string::npos);
  }
}

TEST_CASE("cli: a table that names no region is not given one") {
  const ModelFile model;
  const auto asked = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{
        more.front(), job, "--deadline", "10000d", "--model", model.path()};
    arguments.insert(arguments.end(), more.begin() + 1, more.end());
    return run(arguments);
  };
  const auto oci = asked({"advise", "--infra", "oci"});
  REQUIRE(oci.code == cli::exit_ok);
  CHECK(oci.out.find("oci, region not listed") != std::string::npos);
  CHECK(oci.out.find("does not say in which regions oci has") != std::string::npos);
  CHECK(oci.out.find("casablanca") == std::string::npos);
  CHECK(asked({"advise", "--infra", "oci/*"}).code == cli::exit_ok);
  const auto region = asked({"advise", "--infra", "oci/us-ashburn-1"});
  CHECK(region.code == cli::exit_usage);
  CHECK(region.err.find("do not say in which regions oci sells: --infra oci takes it anywhere") !=
        std::string::npos);
  const auto sky = asked({"export", "--infra", "oci", "--to", "skypilot"});
  CHECK(sky.out.find("infra: \"oci\"\n") != std::string::npos);
  CHECK(
      asked({"export", "--infra", "oci", "--to", "kubernetes"}).out.find("kubernetes.io/region") ==
      std::string::npos);
  const auto variables =
      boost::json::parse(asked({"export", "--infra", "oci", "--to", "terraform"}).out);
  CHECK(variables.at("region").is_null());
  const auto saved = boost::json::parse(asked({"advise", "--infra", "oci", "-o", "json"}).out);
  CHECK(saved.at("chosen").at("region").as_string().empty());
}

TEST_CASE("cli: machines that stand with third parties are said to, and can be left out") {
  const ModelFile model;
  const auto advised = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{
        "advise", job, "--infra", "runpod", "--deadline", "10000d", "--model", model.path()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  const auto all = advised({});
  CAPTURE(all.out);
  REQUIRE(all.code == cli::exit_ok);
  CHECK(all.out.find("_COMMUNITY") != std::string::npos);
  CHECK(all.out.find("on hosts of third parties, which runpod only brokers") != std::string::npos);
  const auto without = advised({"--deny", "_COMMUNITY"});
  CHECK(without.code == cli::exit_ok);
  CHECK(without.out.find("third parties") == std::string::npos);
}
