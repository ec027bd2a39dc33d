// Bad input is exit code 2, and a sentence that says what is so and what to do.
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/";
const std::string job = examples + "demo/job.toml";
const std::string service = examples + "service/job.toml";

void refused(const std::vector<std::string>& arguments, const std::string& part) {
  const auto result = run(arguments);
  CAPTURE(arguments.front());
  CAPTURE(result.err);
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find(part) != std::string::npos);
  CHECK(result.out.empty());
}

}  // namespace

TEST_CASE("refusal: a file of another kind is bad input, whatever reads it") {
  const TemporaryFolder folder;
  const auto wrong = folder / "wrong.json";
  std::ofstream(wrong) << "{\"schema\": \"something/else\"}\n";
  const auto garbage = folder / "garbage.json";
  std::ofstream(garbage) << "not JSON\n";
  refused({"advise", job, "--model", wrong}, wrong);
  refused({"advise", job, "--model", garbage}, "not a model");
  refused({"fit", garbage}, garbage);
  const ModelFile model;
  refused({"validate", wrong, "--model", model.path()}, wrong);
  refused({"report", wrong}, wrong);
  refused({"report", garbage}, "not JSON");
}

TEST_CASE("refusal: a folder is called a folder, and what is not there is not there") {
  const TemporaryFolder folder;
  const auto path = folder / "";
  refused({"advise", path}, "is a folder");
  refused({"fit", path}, "is a folder");
  refused({"advise", job, "--model", path}, "is a folder");
  refused({"predict", "--batch-file", path}, "is a folder");
  refused({"advise", folder / "none.toml"}, "there is no such file");
  refused({"fit", folder / "none.jsonl"}, "there is no such file");
}

TEST_CASE("refusal: numbers out of range name the flag and the range") {
  const ModelFile model;
  refused({"advise", service, "--qps", "0", "--model", model.path()},
          "--qps 0: expected requests per second, above 0");
  refused({"validate", examples + "measurements/demo.jsonl", "--folds", "1"}, "--folds 1");
  refused({"validate", examples + "measurements/demo.jsonl", "--folds", "100000"},
          "--folds 100000");
}

TEST_CASE("refusal: what was not measured on a CPU gets the command that knows it by law") {
  const auto result = test::run_without_model({"predict", "--network", "mnist-cnn", "--cpus", "2"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("--machine vcpus=2") != std::string::npos);
  const auto told = test::run_without_model(
      {"predict", "--network", "mnist-cnn", "--data", "mnist", "--machine", "vcpus=2"});
  CHECK(told.code == cli::exit_ok);
}

TEST_CASE("refusal: a data set of no items is none") {
  for (const std::vector<std::string>& machine :
       {std::vector<std::string>{"--machine", "gpu=T4,vcpus=4,disk=80MB/s"}, {"--cpus", "4"}}) {
    std::vector<std::string> arguments{"predict", "--data", "jpeg", "--items", "0"};
    arguments.insert(arguments.end(), machine.begin(), machine.end());
    const auto result = test::run_without_model(arguments);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find("--items 0") != std::string::npos);
  }
}

TEST_CASE("refusal: words for a GPU without a GPU are refused, not passed over") {
  refused({"predict", "--gpu-rate", "1400", "--framework", "PyTorch"},
          "--framework says how a GPU works, and --gpu-rate how fast one is");
  refused({"simulate", "--gpu-rate", "1400", "--stack", "era"}, "--stack says how a GPU works");
}

TEST_CASE("refusal: a region that is not sold gets its provider's likest ones") {
  const ModelFile model;
  const auto result = run({"advise", job, "--infra", "aws/us-east-9", "--model", model.path()});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("aws has us-east-1, ") != std::string::npos);
  CHECK(result.err.find("gcp") == std::string::npos);
  const auto provider = run({"advise", job, "--infra", "awz", "--model", model.path()});
  CHECK(provider.err.find("providers: ") != std::string::npos);
}

TEST_CASE("refusal: a name that cannot be looked at is bad input, with the name and what to do") {
  const TemporaryFolder folder;
  const auto loop = folder / "loop";
  std::filesystem::create_symlink(loop, loop);
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"advise", loop},
                                             {"advise", job, "--model", loop},
                                             {"advise", job, "--prices", loop},
                                             {"fit", loop},
                                             {"fit", "--db", loop},
                                             {"report", loop},
                                             {"predict", "--batch-file", loop}}) {
    refused(words, loop);
    CHECK(run(words).err.find("filesystem error") == std::string::npos);
  }
  refused({"advise", job, "--model", folder / std::string(300, 'a')}, "so long a name");
}
