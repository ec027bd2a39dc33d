// GPUs that share a language model which writes tokens: how many is said, or as few as hold it.
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "predicted_step.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Words;
namespace json = boost::json;

TEST_CASE("decode sharing: one GPU a copy that is asked for is kept to, by flag, file and row") {
  const Words decoding{"--phase", "decode", "--precision", "bf16", "--batch", "32"};
  auto alone = decoding;
  alone.insert(alone.end(), {"--tensor-parallel", "1"});
  const auto refused = test::predict_step("llama-70b", "gpu=H100:8", alone);
  CAPTURE(refused.out);
  CHECK(refused.code != cli::exit_ok);
  CHECK(refused.out.find("GPU memory too small") != std::string::npos);
  const auto shared = test::predicted_step("llama-70b", "gpu=H100:8", decoding);
  CHECK(shared.at("tensor_parallel").as_int64() > 1);
  CHECK(shared.at("batch_per_gpu").is_null());
  CHECK(shared.at("batch_per_copy") == 32);
  CHECK(test::predicted_step("llama-8b", "gpu=H100:8", alone).at("batch_per_gpu") == 32);
  const auto lines =
      std::string("network = \"llama-70b\"\nphase = \"decode\"\nprecision = \"bf16\"\n") +
      "sequence = 2048\nbatch_per_gpu = 32\n";
  CHECK(test::predicted_job(lines, "gpu=H100:8").at("tensor_parallel").as_int64() > 1);
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << "network,phase,precision,sequence,batch,gpu,gpus,tp\n"
                                        "llama-70b,decode,bf16,2048,32,H100,8,1\n"
                                        "llama-70b,decode,bf16,2048,32,H100,8,\n";
  const auto rows =
      test::run_without_model({"predict", "--batch-file", folder / "rows.csv", "-o", "jsonl"}).out;
  CAPTURE(rows);
  const auto second = rows.find('\n');
  REQUIRE(second != std::string::npos);
  CHECK(rows.find("out_of_memory") < second);
  CHECK(rows.find("\"ok\"", second) != std::string::npos);
}

TEST_CASE("decode: a batch job is of tokens written, and nobody misses a GPU to copy to") {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml")
      << "[job]\nnetwork = \"llama-8b\"\nphase = \"decode\"\nprecision = \"bf16\"\n"
         "batch_per_gpu = 32\nsequence = 1024\n[data]\nitems = 1000000\n";
  const auto advised = test::run_without_model({"advise", folder / "job.toml", "-o", "md"});
  CAPTURE(advised.out + advised.err);
  CHECK(
      advised.out.find("1,000,000 tokens written, at a context of 1024; prompts are not counted") !=
      std::string::npos);
  CHECK(advised.out.find("of 1024 tokens") == std::string::npos);
  const auto explained = test::run_without_model({"explain", folder / "job.toml"});
  CHECK(explained.out.find("there is no GPU to copy to") == std::string::npos);
}

TEST_CASE("decode: who does not say how a model's weights lie is told how they are taken") {
  const std::string told = "deepseek-v3 is taken as it is published, on GPUs its weights in FP8";
  const TemporaryFolder folder;
  const auto service = [&](const std::string& weights) {
    std::ofstream(folder / "job.toml")
        << "[job]\nnetwork = \"deepseek-v3\"\nphase = \"decode\"\nprecision = \"bf16\"\n"
        << weights
        << "[service]\nqps = 1\nprompt_tokens = 500\noutput_tokens = 200\nfirst_token = \"5s\"\n"
           "token = \"100ms\"\n";
    const auto result = test::run_without_model({"advise", folder / "job.toml", "-o", "json"});
    return result.out + result.err;
  };
  CHECK(service("").find(told) != std::string::npos);
  CHECK(service("weights = \"fp8\"\n").find(told) == std::string::npos);
  const auto predicted =
      test::predict_step("gpt-oss-20b", "gpu=H100", {"--phase", "decode", "--precision", "bf16"});
  CHECK(
      predicted.out.find("gpt-oss-20b is taken as it is published, on GPUs its weights in MXFP4") !=
      std::string::npos);
}
