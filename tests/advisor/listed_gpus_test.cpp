// An answer of one cloud says which GPUs its tables have: what is not among the options may be
// rented.
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/program.h"

using namespace rightsize;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

std::string assumptions(std::vector<std::string> more) {
  more.insert(more.begin(), {"advise", job});
  more.insert(more.end(), {"-o", "json"});
  const auto said = test::run_without_model(more);
  REQUIRE_MESSAGE(said.code == cli::exit_ok, said.err);
  return boost::json::serialize(boost::json::parse(said.out).at("assumptions"));
}

}  // namespace

TEST_CASE("listed gpus: of a cloud that was asked for, whatever its region") {
  const auto of_gcp = assumptions({"--infra", "gcp/us-*"});
  CHECK(of_gcp.find("of gcp the price tables have A100, A100-80GB, H100, L4, RTX-PRO-6000: other "
                    "GPUs that it may rent are not considered") != std::string::npos);
  CHECK(of_gcp.find("of azure") == std::string::npos);
}

TEST_CASE("listed gpus: nothing is said of tables that nobody chose among") {
  CHECK(assumptions({}).find("the price tables have") == std::string::npos);
}
