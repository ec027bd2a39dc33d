// --global-batch: what all GPUs take in an update, and what that is of one of them.
#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"

using namespace rightsize;
using test::rate;
namespace json = boost::json;

namespace {

std::vector<std::string> in_bf16(std::vector<std::string> more) {
  more.insert(more.end(), {"--precision", "bf16"});
  return more;
}

test::Result predict(const std::string& machine, const std::vector<std::string>& more) {
  return test::predict_step("llama-1b", machine, in_bf16(more), "1024");
}

json::value answer(const std::string& machine, const std::vector<std::string>& more) {
  return test::predicted_step("llama-1b", machine, in_bf16(more), "1024");
}

}  // namespace

TEST_CASE("global batch: beside --batch it says how many minibatches are accumulated") {
  const std::string machine = "gpu=H100:8,link=nvlink";
  const auto both = answer(machine, {"--global-batch", "256", "--batch", "8"});
  CHECK(both.at("accumulate") == 4);
  CHECK(both.at("batch_per_gpu") == 8);
  CHECK(rate(both) == rate(answer(machine, {"--batch", "8", "--accumulate", "4"})));
  CHECK(rate(both) ==
        rate(answer(machine, {"--global-batch", "256", "--batch", "8", "--accumulate", "4"})));
  const auto uneven = predict(machine, {"--global-batch", "100", "--batch", "8"});
  CHECK(uneven.code == cli::exit_usage);
  CHECK(uneven.err.find("a multiple of the 64 items that 8 GPUs take at once") !=
        std::string::npos);
  const auto three =
      predict(machine, {"--global-batch", "256", "--batch", "8", "--accumulate", "2"});
  CHECK(three.code == cli::exit_usage);
  CHECK(three.err.find("are 4 minibatches an update, and accumulate is 2") != std::string::npos);
  CHECK(three.err.find("or say --accumulate 4") != std::string::npos);
  const auto shared =
      predict(machine, {"--global-batch", "256", "--batch", "8", "--tensor-parallel", "2"});
  CHECK(shared.code == cli::exit_usage);
  CHECK(shared.err.find("give one") != std::string::npos);
}

TEST_CASE("global batch: of copies that GPUs share it is told as theirs") {
  const auto copies =
      answer("gpu=H100:8,link=nvlink",
             {"--global-batch", "4", "--tensor-parallel", "2", "--pipeline-parallel", "2"});
  CHECK(copies.at("batch_per_gpu").is_null());
  CHECK(copies.at("batch_per_copy") == 2);
  const auto odd =
      predict("gpu=H100:8,link=nvlink", {"--global-batch", "16", "--tensor-parallel", "3"});
  CHECK(odd.code == cli::exit_usage);
  CHECK(odd.err.find("8 GPUs are no whole number of copies that 3 share") != std::string::npos);
}

TEST_CASE("global batch: work without updates has none") {
  for (const auto* phase : {"decode", "infer", "forward"}) {
    CAPTURE(phase);
    const auto result = predict("gpu=H100:4", {"--phase", phase, "--global-batch", "16"});
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find("expected phase train, whose updates take so many") != std::string::npos);
  }
}

TEST_CASE("global batch: size divides it too") {
  const auto sized = [](std::vector<std::string> more) {
    std::vector<std::string> words{
        "size", "--network", "resnet50", "--precision", "fp16", "--gpu", "V100:8", "-o", "json"};
    words.insert(words.end(), more.begin(), more.end());
    return rate(json::parse(test::run_without_model(words).out));
  };
  CHECK(sized({"--global-batch", "512"}) == sized({"--batch", "64"}));
  CHECK(sized({"--global-batch", "512"}) != sized({"--batch", "128"}));
}

TEST_CASE("global batch: what more GPUs or passes divide than an int counts is no less for it") {
  const std::string machine = "gpu=H100:8,link=nvlink,nodes=8192,net=ib:3200";
  const auto some = answer(machine, {"--batch", "1", "--accumulate", "16384"});
  const auto many = answer(machine, {"--batch", "1", "--accumulate", "65536"});
  CHECK(rate(many) == test::approx(rate(some)).epsilon(0.001));
  const auto large =
      predict("gpu=H100:64,nodes=64,net=ib:3200",
              {"--batch", "65536", "--tensor-parallel", "8", "--pipeline-parallel", "16"});
  CHECK(large.code == cli::exit_nothing_satisfies);
  CHECK(large.out.find("is more than 4194304 of the 128 that share a copy") != std::string::npos);
}

TEST_CASE("step in JSON: what is trained and kept is said in fields of its own") {
  const auto plain = answer("gpu=H100", {"--batch", "1"});
  CHECK(plain.at("optimizer").is_null());
  CHECK(plain.at("adapter").is_null());
  CHECK(plain.at("master_weights") == true);
  CHECK(plain.at("accumulate") == 1);
  const auto lean = answer("gpu=H100",
                           {"--batch",
                            "1",
                            "--optimizer",
                            "torch.optim.AdamW",
                            "--master-weights",
                            "none",
                            "--accumulate",
                            "2"});
  CHECK(lean.at("optimizer") == "adamw");
  CHECK(lean.at("master_weights") == false);
  CHECK(lean.at("accumulate") == 2);
}

TEST_CASE("ways out: they can be followed") {
  // Accumulating goes with no shared layers, and none are offered.
  const auto accumulating = test::run_without_model({"predict",
                                                     "--network",
                                                     "llama-8b",
                                                     "--precision",
                                                     "bf16",
                                                     "--batch",
                                                     "3",
                                                     "--accumulate",
                                                     "4",
                                                     "--exchange",
                                                     "nccl",
                                                     "--machine",
                                                     "gpu=A100:4"});
  CHECK(accumulating.code == cli::exit_nothing_satisfies);
  CHECK(accumulating.out.find("--tensor-parallel") == std::string::npos);
  // An optimizer that is narrow already leaves the masters to do without.
  const auto narrow = test::run_without_model({"predict",
                                               "--network",
                                               "llama-8b",
                                               "--precision",
                                               "bf16",
                                               "--sequence",
                                               "2048",
                                               "--batch",
                                               "1",
                                               "--optimizer",
                                               "adamw-8bit",
                                               "--machine",
                                               "gpu=H100"});
  CHECK(narrow.out.find("--master-weights none fits") != std::string::npos);
}
