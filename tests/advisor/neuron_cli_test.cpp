// AWS's Inferentia2 and Trainium, as users ask for them.
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;
using test::run_without_model;

namespace {

const std::string service = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/service/job.toml";

Result predicted(const std::string& machine, const std::vector<std::string>& more) {
  std::vector<std::string> words{"predict", "--machine", "gpu=" + machine, "--data", "synthetic"};
  words.insert(words.end(), more.begin(), more.end());
  return run_without_model(words);
}

bool says(const Result& result, const std::string& words) {
  return result.out.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("neuron: predict answers in the words of AWS Neuron, and in none of NVIDIA's") {
  const auto training = predicted(
      "trn1:16",
      {"--network", "bert-large", "--phase", "train", "--precision", "bf16", "--batch", "8"});
  CHECK(training.code == cli::exit_ok);
  CHECK(says(training, "16 chips average gradients over NeuronLink"));
  const auto picture = predicted(
      "inf2",
      {"--network", "resnet50", "--phase", "infer", "--precision", "bf16", "--batch", "16"});
  CHECK(picture.code == cli::exit_ok);
  CHECK(says(picture, "4393 img/s"));
  CHECK(says(picture, "as AWS published"));
  for (const auto& result : {training, picture}) {
    CAPTURE(result.out);
    CHECK(says(result, "compiled by AWS Neuron"));
    for (const auto* word : {"cuDNN", "TensorRT", "nccl", "NVLink", "frameworks'"}) {
      CHECK_FALSE(says(result, word));
    }
  }
}

TEST_CASE("neuron: machines together are joined by what their type is sold with") {
  const auto together = run_without_model({"predict",
                                           "--network",
                                           "bert-large",
                                           "--phase",
                                           "train",
                                           "--precision",
                                           "bf16",
                                           "--batch",
                                           "8",
                                           "--data",
                                           "synthetic",
                                           "--machine",
                                           "aws/trn1.32xlarge,nodes=4"});
  CAPTURE(together.out + together.err);
  CHECK(together.code == cli::exit_ok);
  CHECK(together.out.find("800 Gb/s a node") != std::string::npos);
  CHECK(together.out.find("25 Gb/s") == std::string::npos);
}

TEST_CASE("neuron: predict refuses what no figure bears out, and says what to ask") {
  const auto wide = predicted(
      "Inferentia2", {"--network", "bert-base", "--phase", "infer", "--precision", "fp32"});
  CHECK(wide.code == cli::exit_nothing_satisfies);
  CHECK(says(wide, "--precision bf16"));
  const auto decode =
      predicted("Trainium", {"--network", "llama-8b", "--phase", "decode", "--precision", "bf16"});
  CHECK(decode.code == cli::exit_nothing_satisfies);
  CHECK(says(decode, "not modelled"));
  const auto linked =
      predicted("Trainium:16,link=nvlink", {"--network", "bert-base", "--precision", "bf16"});
  CHECK(says(linked, "has no NVLink"));
}

TEST_CASE("neuron: advise leaves them out until their book is asked for") {
  const std::vector<std::string> aws{
      "advise", service, "--infra", "aws/us-east-1", "--market", "on-demand"};
  const auto usual = run_without_model(aws);
  CHECK(usual.code == cli::exit_ok);
  CHECK_FALSE(says(usual, "inf2"));
  auto words = aws;
  words.insert(words.end(), {"--book", "current,neuron"});
  const auto asked = run_without_model(words);
  CHECK(asked.code == cli::exit_ok);
  CHECK(says(asked, "Rent 1 x inf2.xlarge"));
  CHECK(says(asked, "runs what AWS Neuron compiled"));
}

TEST_CASE("neuron: an imported catalogue's are rejected, with the way to ask for them") {
  const TemporaryFolder folder;
  std::ofstream(folder / "vms.csv")
      << "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region\n"
         "inf2.xlarge,Inferentia2,1,4,16,0.7582,us-east-1\n"
         "g4dn.xlarge,T4,1,4,16,0.526,us-east-1\n";
  std::vector<std::string> words{"advise", service, "--infra", "*", "--prices", folder / "vms.csv"};
  const auto rejected = run_without_model(words);
  CAPTURE(rejected.out);
  CAPTURE(rejected.err);
  CHECK(says(rejected, "run what AWS Neuron compiled"));
  CHECK(says(rejected, "--book vms,neuron"));
}
