// Google's TPUs, as users ask for them.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"

using namespace rightsize;
using test::Result;
using test::run_without_model;

namespace {

Result predicted(const std::string& machine, const std::vector<std::string>& more) {
  std::vector<std::string> words{"predict", "--machine", "gpu=" + machine, "--data", "synthetic"};
  words.insert(words.end(), more.begin(), more.end());
  return run_without_model(words);
}

std::vector<std::string> training(const std::string& network,
                                  const std::string& batch,
                                  const std::string& sequence) {
  return {"--network",
          network,
          "--phase",
          "train",
          "--precision",
          "bf16",
          "--batch",
          batch,
          "--sequence",
          sequence};
}

bool says(const Result& result, const std::string& words) {
  return result.out.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("tpu: predict answers in the words of XLA, and in none of NVIDIA's") {
  const auto told = predicted("v6e:256", training("llama-2-70b", "2", "4096"));
  CHECK(told.code == cli::exit_ok);
  CHECK(says(told, "56.3 sequences/s"));
  CHECK(says(told, "905 tokens/s a chip"));
  CHECK(says(told, "as Google published"));
  CHECK(says(told, "256 chips gather parameters and sum up gradients over ICI"));
  const auto carried = predicted("TPU-v5p:4", training("llama-2-7b", "4", "4096"));
  CHECK(carried.code == cli::exit_ok);
  CHECK(says(carried, "from what MaxText reaches with other networks on it"));
  for (const auto& result : {told, carried}) {
    CAPTURE(result.out + result.err);
    CHECK(says(result, "compiled by XLA"));
    for (const auto* word : {"cuDNN", "TensorRT", "nccl", "NVLink", "no machine has"}) {
      CHECK_FALSE(says(result, word));
      CHECK(result.err.find(word) == std::string::npos);
    }
  }
}

TEST_CASE("tpu: predict refuses what no figure bears out, and says what to ask") {
  const auto decode = predicted("v6e:8",
                                {"--network",
                                 "llama-8b",
                                 "--phase",
                                 "decode",
                                 "--precision",
                                 "bf16",
                                 "--batch",
                                 "8",
                                 "--sequence",
                                 "2048"});
  CHECK(decode.code == cli::exit_nothing_satisfies);
  CHECK(says(decode, "one network"));
  const auto slices = predicted("TPU-v5p:4,nodes=2", training("llama-2-7b", "4", "4096"));
  CHECK(slices.code == cli::exit_nothing_satisfies);
  CHECK(says(slices, "gpu=TPU-v5p:8"));
  const auto pictures = predicted("v5e", {"--network", "resnet50", "--precision", "bf16"});
  CHECK(pictures.code == cli::exit_nothing_satisfies);
  CHECK(says(pictures, "none that are like resnet50"));
}
