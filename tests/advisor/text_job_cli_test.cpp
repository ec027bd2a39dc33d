// A list of texts as its user asks for it: job files and flags, what is answered, and what is
// refused.
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
using test::Words;
namespace json = boost::json;

namespace {

const std::string batch_job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/batch.toml";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The lines of a job file's [job] and [data], and what is wrong with them.
void refused(const std::string& job, const std::string& data, const std::string& part) {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml") << "[job]\n" << job << "[data]\nitems = 1000\n" << data;
  const auto result = test::run_without_model({"advise", folder / "job.toml"});
  CAPTURE(part);
  CHECK(result.code == cli::exit_usage);
  CHECK_MESSAGE(holds(result.err, part), result.err);
}

// `predict` of llama-8b that writes.
test::Result predicted(const std::string& machine, const Words& more) {
  Words words{"predict", "--network", "llama-8b", "--machine", machine, "--phase", "decode"};
  words.insert(words.end(), more.begin(), more.end());
  return test::run_without_model(words);
}

constexpr const char* writer = "network = \"llama-8b\"\nphase = \"decode\"\n";

}  // namespace

// calibration/decode_recent.csv: NVIDIA's of Llama 3.3 70B in FP8 on two H200, 1000 tokens in and
// 1000 out, 5174 tokens/s.
TEST_CASE("texts: a published rate lies in the interval of its software") {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml")
      << "[job]\nnetwork = \"llama-70b\"\nphase = \"decode\"\nprecision = \"bf16\"\n"
         "weights = \"fp8\"\ncaches = \"fp8\"\ntensor_parallel = 2\n"
         "framework = \"TensorRT-LLM\"\n[data]\nitems = 100000000\nprompt_tokens = 1000\n"
         "output_tokens = 1000\n";
  const auto told = test::run_without_model(
      {"predict", folder / "job.toml", "--machine", "gpu=H200:2", "-o", "json"});
  CAPTURE(told.err);
  REQUIRE(told.code == cli::exit_ok);
  const auto answer = json::parse(told.out);
  const auto& rate = answer.at("throughput");
  CHECK(rate.at("unit") == "texts/s");
  CHECK(1000 * rate.at("low").to_number<double>() < 5174);
  CHECK(1000 * rate.at("high").to_number<double>() > 5174);
  const double row = test::rate_of_row(
      "network,phase,precision,quantization,kv_cache_dtype,isl,osl,gpu,gpus,tp,framework",
      "llama-70b,decode,bf16,fp8,fp8,1000,1000,H200,2,2,TensorRT-LLM");
  CHECK(row == test::approx(rate.at("value").to_number<double>()).epsilon(1e-3));
}

TEST_CASE("texts: what cannot be is told for what it is, and not for want of memory") {
  const auto told = [](const std::string& machine, const std::string& part, Words more) {
    more.insert(more.end(),
                {"--precision", "bf16", "--prompt-tokens", "512", "--output-tokens", "128"});
    const auto result = predicted(machine, more);
    CAPTURE(result.out + result.err);
    CHECK(result.code == cli::exit_nothing_satisfies);
    CHECK(holds(result.out, part));
    CHECK_FALSE(holds(result.out, "memory too small"));
  };
  told("gpu=MI300X", "does not run on AMD's GPUs", {"--framework", "TensorRT-LLM"});
  told("gpu=H100:2", "fewer GPUs than a replica takes (4)", {"--tensor-parallel", "4"});
  told("gpu=H100:3", "cannot be shared by 3 GPUs", {"--tensor-parallel", "3"});
}

TEST_CASE("texts: what-if changes lengths and weights, and knows no sequence beside them") {
  const auto supposed = [](const std::string& change) {
    return test::run_without_model(
        {"what-if", batch_job, "g6e.xlarge", change, "--deadline", "999h", "-o", "json"});
  };
  const auto ratio = [&](const std::string& change) {
    const auto result = supposed(change);
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    const auto document = json::parse(result.out);
    return document.at("then").at("throughput").at("value").to_number<double>() /
           document.at("now").at("throughput").at("value").to_number<double>();
  };
  CHECK(ratio("prompt-tokens=x2") < 0.8);
  CHECK(ratio("output-tokens=400") < 0.8);
  CHECK(ratio("weights=own") < 1);
  CHECK(supposed("sequence=4096").code == cli::exit_usage);
}

TEST_CASE("texts: the example is advised, priced by tokens, saved and exported") {
  const auto advised =
      test::run_without_model({"advise", batch_job, "--infra", "aws", "-o", "json"});
  REQUIRE(advised.code == cli::exit_ok);
  const auto document = json::parse(advised.out);
  CHECK(document.at("query").at("writing").at("prompt_tokens") == 2000);
  CHECK(document.at("query").at("dataset_bytes") == 0);
  const auto& chosen = document.at("chosen");
  CHECK(chosen.at("gpus").to_number<double>() >= 1);
  CHECK(chosen.at("cost_per_1m_output_tokens").to_number<double>() ==
        test::approx(chosen.at("cost").at("value").to_number<double>() / 200).epsilon(1e-6));
  const TemporaryFolder folder;
  std::ofstream(folder / "answer.json") << advised.out;
  const auto saved = test::run_without_model({"report", folder / "answer.json"});
  CAPTURE(saved.err);
  CHECK(saved.code == cli::exit_ok);
  CHECK(holds(saved.err, "a million tokens written"));
  const auto text = test::run_without_model({"advise", batch_job, "--infra", "aws"});
  CHECK(holds(text.out, "1,000,000 texts"));
  CHECK(holds(text.out, "texts/s"));
  CHECK(holds(text.out, "modelled on GPUs alone"));
  const auto exported =
      test::run_without_model({"export", batch_job, "--infra", "aws", "--to", "kubernetes"});
  CHECK(holds(exported.out, "MAX_SEQUENCES"));
  CHECK(holds(exported.out, "MAX_TOKENS"));
}

TEST_CASE("texts: explain says what an iteration goes to, and verify what to measure instead") {
  const auto explained = test::run_without_model({"explain", batch_job, "--infra", "aws"});
  CHECK(holds(explained.out, "an iteration of"));
  CHECK(holds(explained.out, "prompts"));
  const auto verified = test::run_without_model({"verify", batch_job, "--infra", "aws"});
  CHECK(verified.code == cli::exit_usage);
  CHECK(holds(verified.err, "verify has nothing to run for tokens"));
  CHECK(holds(verified.err, "texts/s"));
}

TEST_CASE("texts: what does not go together is told by its line") {
  refused(writer, "prompt_tokens = 512\n", "data.output_tokens is missing: expected tokens of a");
  refused(writer,
          "prompt_tokens = 0\noutput_tokens = 9\n",
          "job.toml:6:17: prompt_tokens = 0: expected tokens of a sequence");
  refused(std::string(writer) + "sequence = 4096\n",
          "prompt_tokens = 9\noutput_tokens = 9\n",
          "no sequence under [job] beside it");
  refused(writer, "isl = 512\n", "did you mean \"prompt_tokens\"?");
  refused("network = \"llama-8b\"\n",
          "prompt_tokens = 512\noutput_tokens = 128\n",
          "which goes with phase = \"decode\" in [job] and no [service]");
  refused("network = \"resnet50\"\nphase = \"decode\"\n",
          "",
          "job.toml:2:11: network = \"resnet50\": expected a language model");
  refused("network = \"gpt2\"\nphase = \"decode\"\n",
          "prompt_tokens = 1000\noutput_tokens = 128\n",
          "job.toml:6:17: prompt_tokens = 1000: expected with output_tokens no more than the "
          "network reads");
  const auto half = predicted("gpu=H100", {"--prompt-tokens", "512"});
  CHECK(half.code == cli::exit_usage);
  CHECK(holds(half.err, "--output-tokens: expected tokens of each text"));
  const auto learns = test::predict_step("llama-8b", "gpu=H100", {"--weights", "fp8"});
  CHECK(holds(learns.err, "--weights: expected phase decode"));
  const auto cpu =
      predicted("vcpus=16,memory=64GiB", {"--prompt-tokens", "512", "--output-tokens", "128"});
  CHECK(holds(cpu.out, "modelled on GPUs alone"));
}

TEST_CASE("decode: tokens that are written read no data, and no disk holds them") {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml") << "[job]\n"
                                     << writer
                                     << "sequence = 1024\nweights = \"int4\"\n[data]\n"
                                        "items = 200000000\n[constraints]\ngpu = \"L40S\"\n";
  const auto advised =
      test::run_without_model({"advise", folder / "job.toml", "--infra", "aws", "-o", "json"});
  CAPTURE(advised.err);
  REQUIRE(advised.code == cli::exit_ok);
  const auto document = json::parse(advised.out);
  CHECK(document.at("query").at("data") == "synthetic");
  CHECK(document.at("query").at("writing").at("weights") == "int4");
  const auto disk = std::string(document.at("chosen").at("disk").as_string());
  CHECK_MESSAGE(holds(disk, "gp3 2"), disk);  // of 20 to 29 GiB, for weights of 5
}
