// [job] global_batch: every machine is judged at the same update.
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
namespace json = boost::json;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A pretraining of a 1B model on GPUs of AWS, by up to four machines.
std::string job(const TemporaryFolder& folder, const std::string& keys) {
  return folder.write("job.toml",
                      "[job]\nnetwork = \"llama-1b\"\nsequence = 1024\nphase = \"train\"\n"
                      "precision = \"bf16\"\n" +
                          keys +
                          "[data]\nitems = 1000000\nformat = \"synthetic\"\n"
                          "[constraints]\nnodes_max = 4\ninfra = [\"aws/us-east-1\"]\n"
                          "gpu = [\"A100\", \"H100\", \"L4\"]\n");
}

json::value advised(const std::string& file, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"advise", file, "-o", "json", "--max-results", "0"};
  words.insert(words.end(), more.begin(), more.end());
  const auto result = test::run_without_model(words);
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return json::parse(result.out);
}

}  // namespace

TEST_CASE("global batch of a job: a GPU's batch divides its share of the update on every machine") {
  const TemporaryFolder folder;
  const auto document = advised(job(folder, "global_batch = 192\n"));
  CHECK(document.at("query").at("global_batch") == 192);
  CHECK(document.at("query").at("accumulate") == 1);
  int several = 0;
  for (const auto& option : document.at("options").as_array()) {
    const auto gpus =
        option.at("gpus").to_number<double>() * option.at("nodes").to_number<double>();
    const auto batch = option.at("batch_per_gpu").to_number<double>();
    const int share = static_cast<int>(192 / gpus + 0.5);
    CAPTURE(option.at("instance").as_string().c_str());
    CHECK(gpus * share <= 1.1 * 192);
    CHECK(gpus * share >= 0.9 * 192);
    CHECK(share % static_cast<int>(batch) == 0);
    several += gpus > 1 ? 1 : 0;
  }
  CHECK(several > 0);
}

TEST_CASE("global batch of a job: what is exported and predicted takes as many an update") {
  const TemporaryFolder folder;
  const auto file = job(folder, "global_batch = 192\n");
  const auto script = test::run_without_model({"export", file, "--to", "slurm"});
  CAPTURE(script.out);
  CHECK(contains(script.out, "export GLOBAL_BATCH=192\n"));
  const auto told = test::run_without_model(
      {"predict", "--job", file, "--machine", "gpu=H100:8,link=nvlink", "-o", "json"});
  CAPTURE(told.err);
  REQUIRE(told.code == cli::exit_ok);
  const auto document = json::parse(told.out);
  CHECK(document.at("batch_per_gpu").to_number<int>() *
            document.at("accumulate").to_number<int>() ==
        24);
  const auto once = test::run_without_model(
      {"predict", "--job", file, "--machine", "gpu=H100:8,link=nvlink", "--batch", "4"});
  CHECK(contains(once.out, "6 minibatches an update"));
}

TEST_CASE("global batch of a job: too many GPUs for it are left out, with the reason") {
  const TemporaryFolder folder;
  const auto file = job(folder, "global_batch = 4\n");
  const auto result = test::run_without_model({"advise", file, "-o", "json"});
  CHECK(contains(result.out, "global_batch = 4: fewer items than GPUs"));
  const auto more = advised(job(folder, ""), {"--global-batch", "64"});
  CHECK(more.at("query").at("global_batch") == 64);
}

TEST_CASE("global batch of a job: what contradicts it is refused where it stands") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& keys, const std::string& why) {
    const auto result = test::run_without_model({"advise", job(folder, keys)});
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_usage);
    CHECK(contains(result.err, why));
  };
  refused("global_batch = 0\n", "global_batch = 0: expected items that all GPUs together take");
  refused("global_batch = 64\naccumulate = 2\n",
          "accumulate = 2: expected 1 with global_batch, by which it is worked out");
  refused("global_batch = 64\ntensor_parallel = 2\nbatch_per_gpu = 1\n",
          "batch_per_gpu = 1: expected none beside global_batch");
}

TEST_CASE("global batch of a job: GPUs that share a copy divide it by copies") {
  const TemporaryFolder folder;
  const auto document = advised(job(folder, "global_batch = 64\ntensor_parallel = 4\n"));
  const auto& chosen = document.at("chosen");
  CHECK(chosen.at("tensor_parallel") == 4);
  const auto script = test::run_without_model({"export", folder / "job.toml", "--to", "slurm"});
  CHECK(contains(script.out, "export GLOBAL_BATCH=64\n"));
}

// Of large trainings an update of any size would be compared, and the largest won.
TEST_CASE("global batch of a job: where nobody says it, updates beyond what was trained are told") {
  const TemporaryFolder folder;
  const auto warned = [&](const std::string& keys) {
    const auto result =
        test::run_without_model({"advise", job(folder, keys), "--gpu", "H100", "--gpus-min", "8"});
    return contains(result.out + result.err, "more than Llama 3 405B was trained with");
  };
  CHECK(warned("batch_per_gpu = 32\naccumulate = 64\n"));
  CHECK_FALSE(warned("batch_per_gpu = 16\n"));
}

TEST_CASE("global batch of a job: what GPUs come near to is told") {
  const TemporaryFolder folder;
  const auto told = [&](const std::string& keys) {
    const auto result = test::run_without_model(
        {"advise", job(folder, keys), "--gpu", "H100:8", "--nodes-max", "1"});
    return result.out + result.err;
  };
  CHECK(contains(told("global_batch = 100\n"), "the nearest to global_batch = 100 by equal"));
  CHECK_FALSE(contains(told("global_batch = 128\n"), "by equal shares"));
}

TEST_CASE("global batch: a flag of predict works minibatches out as a job's does") {
  const auto run = test::run_without_model({"predict",
                                            "--network",
                                            "llama-8b",
                                            "--phase",
                                            "train",
                                            "--precision",
                                            "bf16",
                                            "--sequence",
                                            "8192",
                                            "--data",
                                            "synthetic",
                                            "--global-batch",
                                            "128",
                                            "--machine",
                                            "gpu=H100:8,link=nvlink"});
  CAPTURE(run.out);
  CHECK(run.code == cli::exit_ok);  // 16 a GPU do not fit
  CHECK(contains(run.out, "16 minibatches an update"));
}

TEST_CASE("global batch of a job: predict says where GPUs come near to the update alone") {
  const TemporaryFolder folder;
  const auto told = [&](const std::string& keys) {
    const auto run = test::run_without_model({"predict",
                                              "--job",
                                              job(folder, keys),
                                              "--machine",
                                              "gpu=H100:8,link=nvlink,nodes=2,net=ib:400"});
    CAPTURE(run.err);
    REQUIRE(run.code == cli::exit_ok);
    return run.out + run.err;
  };
  CHECK(contains(told("global_batch = 100\n"),
                 "an update is of 96 items here, the nearest to 100 by equal shares"));
  CHECK(!contains(told("global_batch = 96\n"), "by equal shares"));
  CHECK(contains(told("global_batch = 101\ntensor_parallel = 2\n"), "an update is of 104 items"));
}
