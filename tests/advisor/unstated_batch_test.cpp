// Jobs and flags of which nobody says a batch: each machine takes what fits it, in every command.
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::rate;
using test::Words;
namespace json = boost::json;

namespace {

const std::string adapted =
    "network = \"llama-8b\"\nprecision = \"bf16\"\nsequence = 2048\nadapter = \"lora:16\"\n";

json::value advised(const std::string& lines) {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml")
      << "[job]\n"
      << lines << "epochs = 1\n[data]\nformat = \"tokens\"\nitems = 100000\n";
  const auto result = test::run_without_model({"advise",
                                               folder / "job.toml",
                                               "--infra",
                                               "aws/us-east-1",
                                               "--allow",
                                               "p[45]",
                                               "-o",
                                               "json"});
  CAPTURE(result.err);
  CAPTURE(result.out);
  REQUIRE(result.code == cli::exit_ok);
  return json::parse(result.out);
}

}  // namespace

TEST_CASE("unstated batch: a job file takes what flags take of a machine") {
  for (const auto* machine : {"gpu=H100:8,link=nvlink", "gpu=A100"}) {
    CAPTURE(machine);
    const auto by_file = test::predicted_job(adapted, machine);
    const auto by_flags = test::predicted_step(
        "llama-8b",
        machine,
        {"--precision", "bf16", "--adapter", "lora:16", "--framework", "PyTorch"});
    CHECK(by_file.at("batch_per_gpu") == by_flags.at("batch_per_gpu"));
    CHECK(by_file.at("batch_per_gpu").as_int64() < 128);
    CHECK(rate(by_file) == test::approx(rate(by_flags)));
  }
}

TEST_CASE("unstated batch: advise answers a job whose usual batch fits no GPU, as predict does") {
  const auto answer = advised(adapted);
  const auto& chosen = answer.at("chosen");
  CHECK(answer.at("query").at("batch_per_gpu").as_array().empty());
  const auto batch = chosen.at("batch_per_gpu").as_int64();
  CHECK(batch < 128);
  const auto machine = std::string(chosen.at("provider").as_string()) + "/" +
                       std::string(chosen.at("instance").as_string());
  CHECK(test::predicted_job(adapted, machine).at("batch_per_gpu") == batch);
}

TEST_CASE("unstated batch: what a job says is kept, though a smaller one would fit") {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml")
      << "[job]\n"
      << adapted
      << "batch_per_gpu = 128\nepochs = 1\n[data]\nformat = \"tokens\"\nitems = 100000\n";
  const auto result = test::run_without_model(
      {"predict", folder / "job.toml", "--machine", "gpu=A100", "-o", "json"});
  CAPTURE(result.out);
  CHECK(json::parse(result.out).at("status") == "out_of_memory");
}

// On an A100 of 40 GB 4 fit with nothing spared, and 8 with blocks run again.
TEST_CASE(
    "unstated batch: blocks are run again only where the batch that fits then is the faster") {
  const Words unstated{"--precision", "bf16", "--accumulate", "8"};
  const auto taken = test::predicted_step("llama-1b", "gpu=A100", unstated);
  int fit = 0;
  int spared = 0;
  for (const auto* batch : {"1", "2", "4", "8", "16"}) {
    CAPTURE(batch);
    auto said = unstated;
    said.insert(said.end(), {"--batch", batch, "-o", "json"});
    const auto other = test::predict_step("llama-1b", "gpu=A100", said);
    if (other.code == cli::exit_ok) {
      const auto answer = json::parse(other.out);
      CHECK(rate(answer) < 1.0001 * rate(taken));
      ++fit;
      spared += answer.at("recompute").as_bool() ? 1 : 0;
    }
  }
  CHECK(fit == 4);
  CHECK(spared == 1);
}

TEST_CASE("unstated batch: several GPUs take it and how they share the network together") {
  const Words unstated{"--precision", "bf16"};
  for (const auto* machine : {"gpu=H100:8,link=nvlink", "gpu=A100-80GB:4,link=nvlink"}) {
    CAPTURE(machine);
    const auto taken = test::predicted_step("llama-3.2-3b", machine, unstated, "1024");
    CHECK(taken.at("sharded").as_bool());
    for (const auto* batch : {"1", "2", "4", "8", "16", "32", "64", "128"}) {
      CAPTURE(batch);
      auto said = unstated;
      said.insert(said.end(), {"--batch", batch, "-o", "json"});
      const auto other = test::predict_step("llama-3.2-3b", machine, said, "1024");
      if (other.code == cli::exit_ok) {
        CHECK(rate(json::parse(other.out)) < 1.0001 * rate(taken));
      }
    }
  }
}

TEST_CASE("unstated batch: explain says whether whole copies would fit where they are shared") {
  const TemporaryFolder folder;
  const auto explained = [&](const std::string& batch) {
    std::ofstream(folder / "job.toml")
        << "[job]\nnetwork = \"llama-3.2-3b\"\nprecision = \"bf16\"\nsequence = 1024\n"
        << batch << "[data]\nformat = \"tokens\"\nitems = 10000\n";
    const auto result =
        test::run_without_model({"explain", folder / "job.toml", "aws/p5.48xlarge", "-o", "json"});
    CAPTURE(result.err);
    return result.out;
  };
  CHECK(explained("").find("whole copies do not fit the GPUs at this batch") != std::string::npos);
  CHECK(explained("batch_per_gpu = 4\n").find("whole copies would fit the GPUs too") !=
        std::string::npos);
}

TEST_CASE("unstated batch: a service's minibatches are as large as its machine has room for") {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml")
      << "[job]\nnetwork = \"llama-8b\"\nphase = \"infer\"\nprecision = \"bf16\"\nsequence = "
         "512\n[service]\nqps = 10\np99 = \"180ms\"\n";
  const auto result =
      test::run_without_model({"predict", folder / "job.toml", "--machine", "gpu=L40S"});
  CAPTURE(result.out);
  CHECK(result.out.find("GPU memory too small") == std::string::npos);
  CHECK(result.out.find("minibatches of at most 64") != std::string::npos);
  const auto played = test::run_without_model(
      {"simulate", folder / "job.toml", "--machine", "gpu=L40S", "--simulated-items", "2000"});
  CAPTURE(played.err);
  CHECK(played.out.find("GPU memory too small") == std::string::npos);
}
