// What the user's program was seen to do goes on to steps that spare memory otherwise.
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

struct Said {
  double value = 0;
  std::string source;
  std::string document;
  bool recomputes = false;
};

// Training of a network of 1.2 billion parameters.
class Job {
 public:
  explicit Job(const std::string& more = "") : path_(folder_ / "job.toml") {
    std::ofstream(path_) << "[job]\nnetwork = \"llama-1b\"\nprecision = \"bf16\"\n"
                            "sequence = 2048\nepochs = 1\n"
                         << more << "[data]\nitems = 10000\nbytes = \"1GB\"\n";
  }

  [[nodiscard]] Said predicted(const std::string& machine, std::vector<std::string> more) const {
    std::vector<std::string> arguments{
        "predict", path_, "--machine", machine, "--data", "synthetic", "-o", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = test::run_without_model(arguments);
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    const auto answer = boost::json::parse(result.out).as_object();
    const auto& rate = answer.at("throughput").as_object();
    return {rate.at("value").as_double(),
            std::string(rate.at("source").as_string()),
            result.out,
            result.out.find("recomputation (activation checkpointing)") != std::string::npos};
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

}  // namespace

TEST_CASE("own steps: what ran on a GPU without room for activations ran blocks again") {
  const Job job;
  const std::vector<std::string> batch{"--batch", "16"};
  const auto silent = job.predicted("gpu=A100-80GB", batch);
  REQUIRE(silent.recomputes);
  const auto told =
      job.predicted("gpu=A100-80GB", {"--batch", "16", "--measured", "A100-80GB:16=6"});
  CHECK(told.value == test::approx(6));
  CHECK(told.source != "scaled");
  CHECK(told.recomputes);
  // Half as fast as we say there: about as much slower elsewhere.
  const auto half = std::to_string(silent.value / 2);
  const auto other = job.predicted("gpu=H100", batch);
  const auto carried =
      job.predicted("gpu=H100", {"--batch", "16", "--measured", "A100-80GB:16=" + half});
  CHECK(carried.value < 0.7 * other.value);
}

TEST_CASE(
    "own steps: a rate of a small batch says how fast the program is where blocks run again") {
  const Job job;
  const auto silent = job.predicted("gpu=A100-80GB", {"--batch", "2"});
  REQUIRE_FALSE(silent.recomputes);
  const auto plain = job.predicted("gpu=A100-80GB", {"--batch", "16"});
  REQUIRE(plain.recomputes);
  const auto half = std::to_string(silent.value / 2);
  const auto told =
      job.predicted("gpu=A100-80GB", {"--batch", "16", "--measured", "A100-80GB:2=" + half});
  CHECK(told.value == test::approx(plain.value / 2).epsilon(0.15));
  CHECK(told.source == "scaled");
}

TEST_CASE("own steps: of adapters they speak for adapters, and not for all parameters") {
  const Job job;
  const std::vector<std::string> lora{"--batch", "4", "--adapter", "lora:16"};
  const auto with = [&](std::vector<std::string> flags, const std::string& rate) {
    flags.insert(flags.end(), {"--measured", rate});
    return flags;
  };
  const auto here = job.predicted("gpu=A100-80GB", with(lora, "A100-80GB:4=14"));
  CHECK(here.value == test::approx(14));
  CHECK(here.source != "scaled");
  const auto silent = job.predicted("gpu=H100", lora);
  CHECK(job.predicted("gpu=H100", with(lora, "A100-80GB:4=14")).value > 1.02 * silent.value);

  const Job told(
      "batch_per_gpu = 4\nadapter = \"lora:16\"\n"
      "[[measured]]\ngpu = \"A100-80GB\"\nitems_per_s = 14\n");
  const Job full("batch_per_gpu = 4\n");
  const auto whole = told.predicted("gpu=A100-80GB", {"--adapter", "none"});
  CHECK(whole.value == test::approx(full.predicted("gpu=A100-80GB", {}).value));
}

TEST_CASE("own steps: the optimizer they were seen with is their file's, not the one asked for") {
  const Job told(
      "batch_per_gpu = 2\noptimizer = \"sgd\"\n"
      "[[measured]]\ngpu = \"A100-80GB\"\nitems_per_s = 6\n");
  const auto same = told.predicted("gpu=A100-80GB", {});
  CHECK(same.value == test::approx(6));
  CHECK(same.source != "scaled");
  const auto other = told.predicted("gpu=A100-80GB", {"--optimizer", "adamw"});
  CHECK(other.value < 6);
  CHECK(other.source == "scaled");
}

TEST_CASE("own steps: a GPU that is sold with two sizes has the one that its name states") {
  const auto told = test::run_without_model({"predict",
                                             "--network",
                                             "bert-large",
                                             "--precision",
                                             "fp16",
                                             "--data",
                                             "synthetic",
                                             "--machine",
                                             "gpu=V100-32GB",
                                             "--batch",
                                             "32",
                                             "--measured",
                                             "V100-32GB:32=50",
                                             "-o",
                                             "json"});
  CHECK(boost::json::parse(told.out).at("throughput").at("value").as_double() == test::approx(50));
}

TEST_CASE("own steps: a batch that no GPU holds was none") {
  const auto result =
      test::predict_step("llama-8b",
                         "gpu=H100:8",
                         {"--precision", "bf16", "--batch", "4", "--measured", "H100:512=3"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("--measured: batch 512 of llama-8b takes ") != std::string::npos);
  CHECK(result.err.find("was that of several GPUs together?") != std::string::npos);
}

TEST_CASE("own steps: of two ways in which it may have run the one that is asked for is taken") {
  // One A100 has room with blocks run again, eight that share parameters with none.
  const auto asked = [](const std::string& machine, test::Words more) {
    more.insert(more.end(),
                {"--precision", "bf16", "--batch", "12", "--measured", "A100-80GB:12=6"});
    return test::rate(test::predicted_step("llama-1b", machine, more));
  };
  CHECK(asked("gpu=A100-80GB", {}) == test::approx(6));
  const auto eight = asked("gpu=A100-80GB:8,link=nvlink", {"--exchange", "sharded"});
  CHECK(eight < 8 * 6.001);
  CHECK(eight == test::approx(asked("gpu=A100-80GB:8,link=nvlink",
                                    {"--exchange", "sharded", "--recompute", "false"})));
}
