// Machines with a part of a GPU, as price tables count them (0.125 of an L4), in answers.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/program.h"

using namespace rightsize;
using test::approx;

namespace {

const std::string service = RIGHTSIZE_SOURCE_DIR "/examples/service/job.toml";

boost::json::value told(std::vector<std::string> words) {
  words.insert(words.end(), {"-o", "json"});
  const auto result = test::run_without_model(words);
  REQUIRE_MESSAGE(result.code == cli::exit_ok, result.err);
  return boost::json::parse(result.out);
}

bool any_holds(const boost::json::value& texts, const std::string& part) {
  for (const auto& text : texts.as_array()) {
    if (std::string(text.as_string()).find(part) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("gpu share: a small service is told a part of a GPU, and by what it is counted") {
  const auto answer = told({"advise", service, "--qps", "40", "--infra", "aws", "--allow", "^g6f"});
  const auto& chosen = answer.at("chosen");
  CHECK(std::string(chosen.at("gpu").as_string()).starts_with("L4/"));
  CHECK(chosen.at("gpus").to_number<double>() == 1);
  CHECK(any_holds(answer.at("warnings"), "a part of a GPU (L4/"));
}

TEST_CASE("gpu share: an instance and its parts are predicted alike, the N-th of a whole GPU") {
  const auto rate_of = [](const std::string& machine) {
    return told({"predict",
                 "--network",
                 "resnet50",
                 "--phase",
                 "infer",
                 "--batch",
                 "8",
                 "--data",
                 "synthetic",
                 "--machine",
                 machine})
        .at("throughput")
        .at("value")
        .to_number<double>();
  };
  const double whole = rate_of("gpu=L4,vcpus=4,memory=16GiB");
  const double share = rate_of("gpu=L4/8,vcpus=4,memory=16GiB");
  CHECK(share == approx(whole / 8).epsilon(0.05));  // less what waits for the host anyway
  CHECK(rate_of("aws/g6f.xlarge") == approx(share));
}

TEST_CASE("gpu share: who asks for whole GPUs gets no part, and who asks for the part gets it") {
  const auto gpu_of = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"advise", service, "--qps", "40", "--infra", "aws"});
    return std::string(told(flags).at("chosen").at("gpu").as_string());
  };
  CHECK(gpu_of({"--allow", "^g6f?[.]", "--gpus-min", "1"}) == "L4");
  CHECK(gpu_of({"--gpu", "L4"}) == "L4");
  CHECK(gpu_of({"--gpu", "L4/2"}) == "L4/2");
}
