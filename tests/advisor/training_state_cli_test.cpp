// What training keeps of a parameter and how often it is updated, as their user asks for them.
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/query/tuning_words.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::gib;
using test::rate;
using test::Result;

namespace {

namespace json = boost::json;

Result predict(const std::string& machine, const std::vector<std::string>& more) {
  return test::predict_step("llama-8b", machine, more);
}

json::value answer(const std::string& machine, std::vector<std::string> more) {
  more.insert(more.end(), {"--precision", "bf16"});
  return test::predicted_step("llama-8b", machine, more);
}

}  // namespace

TEST_CASE("training state: an 8B network is trained whole on one GPU that keeps 16 bits of it") {
  const auto wide = predict("gpu=H100", {"--batch", "1", "--precision", "bf16"});
  CHECK(wide.out.find("GPU memory too small") != std::string::npos);
  CHECK(wide.out.find("or --master-weights none fits; or --adapter lora:16") != std::string::npos);
  const std::vector<std::string> lean{
      "--batch", "1", "--master-weights", "none", "--optimizer", "adamw-8bit"};
  const auto one = answer("gpu=H100", lean);
  CHECK(gib(one) > 8.03e9 * 6.03 / 0x1p30);
  CHECK(gib(one) < 72);
  auto job = lean;
  job.insert(job.end(), {"--precision", "bf16"});
  const auto said = predict("gpu=H100", job);
  CHECK(said.out.find("adamw-8bit, no master weights: about ") != std::string::npos);
}

TEST_CASE("training state: adapters fit with moments in 8 bits where those of 32 are too many") {
  const std::vector<std::string> wide{
      "--batch", "1", "--precision", "bf16", "--adapter", "qlora:256"};
  const auto refused = predict("gpu=L4", wide);
  CAPTURE(refused.out);
  CHECK(refused.out.find("GPU memory too small") != std::string::npos);
  CHECK(refused.out.find("--optimizer adamw-8bit fits") != std::string::npos);
  CHECK(refused.out.find("--master-weights") == std::string::npos);
  auto narrow = wide;
  narrow.insert(narrow.end(), {"--optimizer", "adamw-8bit"});
  CHECK(predict("gpu=L4", narrow).out.find("GPU memory too small") == std::string::npos);
}

TEST_CASE("training state: an update for several minibatches is done once for all of them") {
  const auto seconds = [](const std::string& machine, int minibatches) {
    const auto document = answer(machine,
                                 {"--batch",
                                  "1",
                                  "--master-weights",
                                  "none",
                                  "--optimizer",
                                  "adamw-8bit",
                                  "--accumulate",
                                  std::to_string(minibatches)});
    return 1 / rate(document);
  };
  // t = compute + (update + (n - 1) gradients added) / n: of two the third follows.
  const double one = seconds("gpu=H100", 1);
  const double two = seconds("gpu=H100", 2);
  const double eight = seconds("gpu=H100", 8);
  CHECK(one > two);
  const double saved = 2 * (one - two);
  CHECK(eight == test::approx(one - saved * 7 / 8).epsilon(1e-3));
  // 10.06 bytes of 8.03 billion parameters less the three times two of gradients that are added, at
  // some 2 to 3 TB/s.
  CHECK(saved > 8.03e9 * 4.06 / 3.35e12);
  CHECK(saved < 8.03e9 * 4.06 / 1.5e12);
}

TEST_CASE("training state: whole copies average gradients once an update") {
  const auto seconds = [](int minibatches) {
    const auto document = answer("gpu=H100:8,nodes=2,net=ethernet:25",
                                 {"--batch",
                                  "4",
                                  "--exchange",
                                  "nccl",
                                  "--adapter",
                                  "lora:256",
                                  "--accumulate",
                                  std::to_string(minibatches)});
    return 1 / rate(document);
  };
  const double one = seconds(1);
  const double two = seconds(2);
  const double four = seconds(4);
  CHECK(one > 1.001 * two);
  // What an update adds halves, and halves again.
  CHECK(two - four == test::approx((one - two) / 2).epsilon(0.02));
}

TEST_CASE("training state: names of others mean ours, and unknown ones nothing") {
  for (const auto* text : {"adamw-8bit", "adamw_bnb_8bit", "PagedAdamW8bit", "AdamW8bit"}) {
    CAPTURE(text);
    CHECK(parse_optimizer(text) == OptimizerChoice::adamw_8bit);
  }
  CHECK(parse_optimizer("adamw_torch_fused") == OptimizerChoice::adamw);
  CHECK(parse_optimizer("Adafactor") == OptimizerChoice::adafactor);
  for (const auto optimizer : {OptimizerChoice::sgd,
                               OptimizerChoice::adamw,
                               OptimizerChoice::adamw_8bit,
                               OptimizerChoice::adafactor}) {
    CHECK(parse_optimizer(to_string(optimizer)) == optimizer);
  }
  for (const auto* text : {"", "lion", "adamw-4bit", "8bit", "adamw 32"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_optimizer(text));
  }
}

TEST_CASE("training state: a told rate is of the job as it is asked for, and is given back") {
  const auto told = [](std::vector<std::string> tuning) {
    tuning.insert(tuning.end(), {"--batch", "2", "--measured", "H100:2=3.0"});
    return answer("gpu=H100", tuning);
  };
  const std::vector<std::string> lean{"--master-weights", "none", "--optimizer", "adamw-8bit"};
  CHECK(rate(told(lean)) == test::approx(3));
  auto accumulated = lean;
  accumulated.insert(accumulated.end(), {"--accumulate", "8"});
  const auto document = told(accumulated);
  CHECK(rate(document) == test::approx(3));
  CHECK(document.at("throughput").at("low").as_double() < 3);
  CHECK(document.at("throughput").at("high").as_double() > 3);
}

TEST_CASE("training state: what does not go together is refused by name") {
  const auto refused = [](const std::vector<std::string>& words, const std::string& because) {
    const auto result = predict("gpu=H100", words);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find(because) != std::string::npos);
  };
  refused({"--master-weights", "none"}, "--master-weights: expected fp32, or precision bf16");
  refused({"--master-weights", "bf16"}, "--master-weights bf16: expected fp32");
  refused({"--optimizer", "lion"}, "--optimizer lion: expected adamw, adamw-8bit");
  refused({"--accumulate", "0"}, "--accumulate: expected minibatches before an update");
  refused({"--accumulate", "2", "--tensor-parallel", "8", "--precision", "bf16"},
          "accumulate: expected 1 with tensor_parallel");
  const auto inference = test::run_without_model({"predict",
                                                  "--network",
                                                  "resnet50",
                                                  "--phase",
                                                  "infer",
                                                  "--machine",
                                                  "gpu=T4",
                                                  "--data",
                                                  "synthetic",
                                                  "--optimizer",
                                                  "sgd"});
  CHECK(inference.code == cli::exit_usage);
  CHECK(inference.err.find("optimizer: expected phase train") != std::string::npos);
}

TEST_CASE("training state: a job file asks for it, and its answer says so again") {
  const TemporaryFolder folder;
  const auto file = folder / "tune.toml";
  const auto write = [&](const std::string& keys) {
    std::ofstream(file) << "name = \"tune\"\n[job]\nnetwork = \"llama-8b\"\nsequence = 2048\n"
                           "phase = \"train\"\nprecision = \"bf16\"\nbatch_per_gpu = 1\n"
                        << keys
                        << "[data]\nitems = 20000\nformat = \"synthetic\"\n"
                           "[constraints]\ndeadline = \"2d\"\n";
  };
  write("optimizer = \"adamw_bnb_8bit\"\nmaster_weights = \"none\"\naccumulate = 8\n");
  const auto result = test::run_without_model({"advise", file, "-o", "json"});
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  const auto query = json::parse(result.out).at("query");
  CHECK(query.at("optimizer") == "adamw-8bit");
  CHECK(query.at("master_weights") == "none");
  CHECK(query.at("accumulate") == 8);
  const auto table = test::run_without_model({"advise", file});
  CHECK(table.out.find("(adamw-8bit, no master weights, 8 minibatches an update)") !=
        std::string::npos);
  write("optimizer = \"lion\"\n");
  const auto unknown = test::run_without_model({"advise", file});
  CHECK(unknown.code == cli::exit_usage);
  CHECK(unknown.err.find("tune.toml:8:13: optimizer = \"lion\": expected adamw, adamw-8bit") !=
        std::string::npos);
}
