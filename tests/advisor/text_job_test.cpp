// A language model that works through a list of texts: what predict and advise say of it, and that
// it is the law's of a server that always has more to do.
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/candidate/network_facts.h"
#include "advisor/cli/command.h"
#include "estimator_questions.h"
#include "models/laws/decode.h"
#include "predicted_step.h"
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

Configuration texts(const std::string& machine, const char* network, int prompt, int output) {
  auto asked = test::asked_on(machine);
  asked.phase = Phase::decode;
  asked.network = network;
  asked.precision = Precision::bf16;
  asked.sequence = prompt + output;
  asked.writing.prompt_tokens = prompt;
  asked.writing.output_tokens = output;
  asked.batch.reset();
  return asked;
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

TEST_CASE("texts: a GPU writes what the law of decoding has of as many as fit") {
  auto estimator = test::shipped_estimator();
  auto asked = texts("gpu=H100", "llama-8b", 512, 128);
  const DecodeLoad load{0, 512, 128};
  const auto by_law = [&](const Writing& writing, int most) {
    const auto form = writing.form(Precision::bf16, "");
    const auto work = decode_work(make_network("llama-8b", 640), form, load);
    const auto gpu = decode_gpu(*estimator.gpu_rates().find("H100"), form);
    const int together = std::min(most, sequences_that_fit(work, gpu, 640));
    return together / (128 * decode_period_seconds(work, gpu, load, together));
  };
  const auto plain = estimator.estimate(asked);
  REQUIRE(plain.verdict == Verdict::ok);
  CHECK(plain.throughput.unit == "texts/s");
  CHECK(plain.throughput.value == doctest::Approx(by_law({}, 1 << 20)).epsilon(0.001));
  CHECK(plain.batch > 128);
  asked.batch = 8;
  CHECK(estimator.estimate(asked).throughput.value ==
        doctest::Approx(by_law({}, 8)).epsilon(0.001));
  asked.batch.reset();
  asked.writing.weights = WeightFormat::fp8;
  asked.writing.fp8_caches = true;
  const auto narrow = estimator.estimate(asked);
  CHECK(narrow.throughput.value == doctest::Approx(by_law(asked.writing, 1 << 20)).epsilon(0.001));
  CHECK(narrow.throughput.value > 1.3 * plain.throughput.value);
  CHECK(narrow.batch > 2 * plain.batch);
}

TEST_CASE("texts: longer prompts and answers take longer, and more GPUs write in proportion") {
  auto estimator = test::shipped_estimator();
  const auto rate = [&](const char* machine, int prompt, int output) {
    return estimator.estimate(texts(machine, "llama-8b", prompt, output)).throughput.value;
  };
  const double usual = rate("gpu=H100", 512, 128);
  CHECK(rate("gpu=H100", 4096, 128) < 0.5 * usual);
  CHECK(rate("gpu=H100", 512, 512) < 0.6 * usual);
  CHECK(rate("gpu=H100:8", 512, 128) == doctest::Approx(8 * usual).epsilon(0.001));
  const auto one = estimator.estimate(texts("gpu=H100", "llama-70b", 512, 128));
  CHECK(one.verdict == Verdict::out_of_memory);
  CHECK(holds(one.reason, "GPU memory too small"));
  CHECK(estimator.estimate(texts("gpu=H100:8", "llama-70b", 512, 128)).memory_way.parallel.tensor >
        1);
}

// A text of 128 tokens takes as many iterations, however many GPUs there are.
TEST_CASE("texts: a list shorter than what fits is written in the time of a text") {
  auto estimator = test::shipped_estimator();
  auto asked = texts("gpu=H100:8", "llama-8b", 512, 128);
  asked.tensor_parallel_said = true;  // else several GPUs share a copy, which is sooner done
  const auto full = estimator.estimate(asked);
  asked.epochs = 1;
  asked.items = 80;
  const auto few = estimator.estimate(asked);
  CHECK(few.batch == 10);
  const DecodeLoad load{0, 512, 128};
  const auto work = decode_work(make_network("llama-8b", 640), {Precision::bf16}, load);
  const auto gpu = decode_gpu(*estimator.gpu_rates().find("H100"), {Precision::bf16});
  const double text_s = 128 * decode_period_seconds(work, gpu, load, 10);
  CHECK(80 / few.throughput.value == doctest::Approx(text_s).epsilon(0.001));
  asked.items = 9;  // one copy has two, and the others wait for it
  CHECK(9 / estimator.estimate(asked).throughput.value ==
        doctest::Approx(128 * decode_period_seconds(work, gpu, load, 2)).epsilon(0.001));
  asked.machine.nodes = 2;
  asked.items = 1;
  CHECK(1 / estimator.estimate(asked).throughput.value >=
        128 * decode_period_seconds(work, gpu, load, 1) * 0.999);
  asked.machine.nodes = 1;
  asked.items = 80'000'000;
  CHECK(estimator.estimate(asked).throughput.value ==
        doctest::Approx(full.throughput.value).epsilon(0.001));
  // Of twice as many as fit the last ones end one by one, in steps that are half full.
  asked.items = 8 * 2 * static_cast<std::uint64_t>(full.batch);
  const auto step_s = [&](double texts) {
    return decode_step_seconds(work, gpu, texts, mean_context(load));
  };
  const double half_full_s = step_s(full.batch / 2.0) - step_s(full.batch) / 2;
  const double twice_s =
      128 * (2 * decode_period_seconds(work, gpu, load, full.batch) + half_full_s);
  CHECK(16 * full.batch / estimator.estimate(asked).throughput.value ==
        doctest::Approx(twice_s).epsilon(0.001));
}

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
  CHECK(row == doctest::Approx(rate.at("value").to_number<double>()).epsilon(1e-3));
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

TEST_CASE("texts: more at once than fit are told as they are") {
  auto estimator = test::shipped_estimator();
  auto asked = texts("gpu=L4", "llama-8b", 2000, 200);
  const auto most = estimator.estimate(asked);
  asked.batch = 65536;
  const auto capped = estimator.estimate(asked);
  CHECK(capped.batch == most.batch);
  CHECK(capped.throughput.value == doctest::Approx(most.throughput.value));
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
        doctest::Approx(chosen.at("cost").at("value").to_number<double>() / 200).epsilon(1e-6));
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

// Each prompt is read once, whatever is written beside it.
TEST_CASE("texts: room for more never makes a list slower, nor does leaving the batch open") {
  auto estimator = test::shipped_estimator();
  const auto rate = [&](const char* machine, std::optional<int> batch) {
    auto asked = texts(machine, "llama-8b", 500, 100);
    asked.epochs = 1;
    asked.items = 2000;
    asked.batch = batch;
    return estimator.estimate(asked).throughput.value;
  };
  const double open = rate("gpu=A100-80GB", std::nullopt);
  CHECK(open >= rate("gpu=A100", std::nullopt));
  for (const int batch : {64, 128, 256, 512}) {
    CAPTURE(batch);
    CHECK(open >= 0.999 * rate("gpu=A100-80GB", batch));
  }
  CHECK(rate("gpu=A100-80GB:4", std::nullopt) < 4.2 * open);
}
