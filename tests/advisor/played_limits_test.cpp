// What simulate says at its limits: a target that is missed, a file that ends, times that no
// simulation can count.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;

namespace {

Result serving(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"simulate",
                                     "--network",
                                     "resnet50",
                                     "--precision",
                                     "fp16",
                                     "--machine",
                                     "gpu=T4:1",
                                     "--serve"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return test::run_without_model(arguments);
}

}  // namespace

TEST_CASE("simulate: what takes longer than time is counted is played shorter, or refused") {
  const auto slow = test::run_without_model({"simulate",
                                             "--network",
                                             "llama-70b",
                                             "--machine",
                                             "vcpus=2",
                                             "--phase",
                                             "infer",
                                             "-o",
                                             "json"});
  REQUIRE(slow.code == cli::exit_ok);
  const auto document = boost::json::parse(slow.out);
  CHECK(document.at("items_per_s").to_number<double>() ==
        doctest::Approx(document.at("analytic_items_per_s").to_number<double>()).epsilon(0.05));
  const std::vector<std::vector<std::string>> too_slow{{"--gpu-rate", "1e-6"}, {"--cpus", "0.001"}};
  for (const auto& flags : too_slow) {
    std::vector<std::string> arguments{"simulate"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const auto refused = test::run_without_model(arguments);
    CAPTURE(flags.front());
    CHECK(refused.code == cli::exit_usage);
    CHECK(refused.err.find("rightsize predict has the answer of the laws") != std::string::npos);
  }
}
