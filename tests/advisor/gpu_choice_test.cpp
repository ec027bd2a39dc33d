// Which GPUs a machine may have: by name, by memory, by number, or none.
#include "advisor/query/gpu_choice.h"

#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/query/usage_error.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run_without_model;
namespace json = boost::json;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

Offer with(const std::string& gpu, double gpus, std::optional<double> memory_gib = std::nullopt) {
  Offer offer;
  offer.gpu = gpu;
  offer.gpus = gpus;
  offer.gpu_memory_gib = memory_gib;
  return offer;
}

bool holds(const std::string& name, const Offer& offer) {
  return GpuChoice(checked_gpus({name}, "--gpu")).holds(offer);
}

}  // namespace

TEST_CASE("gpu choice: a name is of its variants too, and of no other that begins so") {
  CHECK(holds("A100", with("A100", 8)));
  CHECK(holds("A100", with("A100-80GB", 1)));
  CHECK_FALSE(holds("A100-80GB", with("A100", 8)));
  CHECK_FALSE(holds("A10", with("A10G", 1)));
  CHECK_FALSE(holds("A10", with("A100", 1)));
  CHECK(holds("h100", with("H100-PCIe", 1)));
  CHECK_FALSE(holds("H100", with("", 0)));
  CHECK_FALSE(holds("RTX-6000", with("RTX-6000-Ada", 1)));
  CHECK_FALSE(holds("RTX-3080", with("RTX-3080-Ti", 1)));
  CHECK(holds("A100-80GB", with("A100-PCIe-80GB", 1, 80)));
  CHECK(holds("A100-80GB", with("A100-PCIe-80GB", 1)));
  CHECK_FALSE(holds("A100-40GB", with("A100-80GB", 8)));
  CHECK_FALSE(holds("A100-PCIe", with("A100-80GB", 8, 80)));
  CHECK(GpuChoice(std::vector<std::string>{}).holds(with("T4", 1)));
}

TEST_CASE("gpu choice: memory, a number, and machines without any") {
  CHECK(holds("V100 32GB", with("V100", 8, 32)));
  CHECK_FALSE(holds("V100 32GB", with("V100", 8, 16)));
  CHECK(holds("L40S 48GB", with("L40S", 1, 44.7)));
  CHECK(holds("H100:8", with("H100", 8)));
  CHECK_FALSE(holds("H100:8", with("H100", 4)));
  CHECK(holds("none", with("", 0)));
  CHECK_FALSE(holds("none", with("T4", 1)));
  CHECK(checked_gpus({"A100, H100:8", "L4"}, "--gpu") ==
        std::vector<std::string>{"A100", "H100:8", "L4"});
  CHECK_THROWS_AS(static_cast<void>(checked_gpus({"A100,"}, "--gpu")), UsageError);
  CHECK_THROWS_AS(static_cast<void>(checked_gpus({""}, "--gpu")), UsageError);
  CHECK_THROWS_AS(static_cast<void>(checked_gpus({"H100:0"}, "--gpu")), UsageError);
}

TEST_CASE("gpu choice: by a flag or the job file, advise takes no other") {
  const auto asked = run_without_model(
      {"advise", job, "--infra", "aws", "--gpu", "A10G", "--gpu", "L4:1", "-o", "json"});
  CAPTURE(asked.err);
  REQUIRE(asked.code == cli::exit_ok);
  const auto document = json::parse(asked.out);
  const auto& options = document.at("options").as_array();
  REQUIRE(options.size() >= 3);
  for (const auto& option : options) {
    const auto& gpu = option.at("gpu").as_string();
    CHECK((gpu == "A10G" || (gpu == "L4" && option.at("gpus").to_number<double>() == 1)));
  }
  CHECK(document.at("query").at("shapes").at("gpu") == json::array{"A10G", "L4:1"});
  const TemporaryFolder folder;
  std::ifstream in(job);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto at = text.find("[constraints]\n") + 14;
  const auto path = folder.write(
      "job.toml", text.substr(0, at) + "gpu = [\"A10G\", \"L4:1\"]\n" + text.substr(at));
  const auto by_file = run_without_model({"advise", path, "--infra", "aws", "-o", "json"});
  CHECK(json::parse(by_file.out).at("chosen").at("instance") ==
        document.at("chosen").at("instance"));
}

TEST_CASE(
    "gpu choice: a GPU that no table has is met with the nearest, and one that no place has") {
  const auto typo = run_without_model({"advise", job, "--gpu", "H10O"});
  CHECK(typo.code == cli::exit_usage);
  CHECK(typo.err.find("did you mean") != std::string::npos);
  const auto elsewhere = run_without_model({"advise", job, "--infra", "aws", "--gpu", "MI300X"});
  CHECK(elsewhere.code == cli::exit_nothing_satisfies);
  CHECK(elsewhere.out.find("another GPU, or none, than is asked for") != std::string::npos);
  CHECK(elsewhere.out.find("--gpu MI300X: not rented here; digitalocean, oci rent it") !=
        std::string::npos);
  const auto number = run_without_model({"advise", job, "--infra", "aws", "--gpu", "L4:3"});
  CHECK(number.out.find("--gpu L4:3: machines here have 1, 4, 8 of them") != std::string::npos);
  const auto card = run_without_model({"advise", job, "--gpu", "GTX-1080"});
  CHECK(card.err.find("no machine of the price tables has it; a table of yours") !=
        std::string::npos);
}

TEST_CASE("gpu choice: today's machine and a supposed one are held to it") {
  const auto today = run_without_model(
      {"advise", job, "--infra", "aws", "--gpu", "L4", "--current", "g5.12xlarge"});
  CHECK(today.out.find("g5.12xlarge is not what is asked for: another GPU") != std::string::npos);
  const auto supposed = run_without_model(
      {"what-if", job, "g6.12xlarge", "gpu=A100:4", "--infra", "aws", "--gpu", "L4"});
  CHECK(supposed.out.find("advise would leave such a machine out: another GPU") !=
        std::string::npos);
}
