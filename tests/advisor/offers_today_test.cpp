// Offers that are not to be had as a catalogue has them: it names a region for want of any.
#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/program.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

}  // namespace

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
