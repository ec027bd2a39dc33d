// Where nothing is an option the answer names what would be: and what it names is one.
#include <fstream>
#include <regex>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;

namespace {

const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/";

struct Asked {
  int code = 0;
  std::string warnings;
};

Asked advise(const std::string& job, std::vector<std::string> flags, const std::string& model) {
  flags.insert(flags.begin(), {"advise", job});
  flags.insert(flags.end(), {"--model", model, "-o", "json"});
  const auto result = run(flags);
  CAPTURE(result.err);
  REQUIRE(result.code != cli::exit_usage);
  std::string warnings;
  const auto answer = boost::json::parse(result.out);
  for (const auto& warning : answer.at("warnings").as_array()) {
    warnings += std::string(warning.as_string()) + "\n";
  }
  return {result.code, warnings};
}

// What the expression's first group found, "" where it is not there.
std::string found(const std::string& text, const std::string& expression) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(expression)) ? match[1].str() : "";
}

std::string job_of(const TemporaryFolder& folder, const std::string& fields) {
  auto path = folder / "job.toml";
  std::ofstream(path) << "[job]\n" << fields << "[data]\nitems = 1000\nformat = \"synthetic\"\n";
  return path;
}

}  // namespace

TEST_CASE("next step: numbers that no machine has are told with the nearest that some have") {
  const test::ModelFile model;
  const auto job = examples + "demo/job.toml";
  const auto gpus = advise(job, {"--gpus", "5", "--infra", "aws"}, model.path());
  CHECK(gpus.code == cli::exit_nothing_satisfies);
  CHECK(gpus.warnings.find("no machine here has 5 GPUs: the nearest have 4 and 8") !=
        std::string::npos);
  const auto memory = advise(job, {"--memory-min", "40000", "--infra", "aws"}, model.path());
  CHECK(memory.warnings.find("no machine here has 40000 or more GiB of memory: the nearest") !=
        std::string::npos);
}

TEST_CASE(
    "next step: what does not fit the GPUs' memory is told what fits, and that is an option") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto job = job_of(folder,
                          "network = \"llama-8b\"\nprecision = \"bf16\"\nbatch_per_gpu = 256\n"
                          "sequence = 2048\nrecompute = false\n");
  const std::vector<std::string> here{"--infra", "aws", "--allow", "^g5[.]"};
  const auto asked = advise(job, here, model.path());
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CAPTURE(asked.warnings);
  CHECK(asked.warnings.find("on the largest of them, aws/g5.48xlarge: ") != std::string::npos);
  int tried = 0;
  for (const auto* way : {"(--batch [0-9]+) fits",
                          "(--adapter [a-z0-9:]+) [(]adapters alone are trained[)] fits",
                          "(--recompute true) fits",
                          "(--tensor-parallel [0-9]+(?: --recompute true)?) fits",
                          "(--nodes-max [0-9]+) fits"}) {
    const auto flags = found(asked.warnings, way);
    if (flags.empty()) {
      continue;
    }
    ++tried;
    CAPTURE(flags);
    auto again = here;
    const std::regex space(" ");
    std::copy(std::sregex_token_iterator(flags.begin(), flags.end(), space, -1),
              std::sregex_token_iterator(),
              std::back_inserter(again));
    CHECK(advise(job, again, model.path()).warnings.find("GPU memory is too small") ==
          std::string::npos);
  }
  CHECK(tried >= 1);
}

TEST_CASE("next step: a network of pictures is not told to train adapters or to share its layers") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto job =
      job_of(folder, "network = \"resnet152\"\nprecision = \"fp32\"\nbatch_per_gpu = 16384\n");
  const auto asked = advise(job, {"--infra", "aws", "--gpus-min", "1"}, model.path());
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CAPTURE(asked.warnings);
  CHECK_FALSE(found(asked.warnings, "(--batch [0-9]+) fits").empty());
  for (const auto* no : {"adapter", "tensor", "nodes-max", "recompute"}) {
    CHECK(asked.warnings.find(no) == std::string::npos);
  }
}

TEST_CASE("next step: a card that is named leaves room beside what is needed") {
  // 93.4 GB of weights: a card of 96 GB would be full before the first activation.
  const auto answer = run({"predict",
                           "--network",
                           "mixtral-8x7b",
                           "--phase",
                           "infer",
                           "--precision",
                           "bf16",
                           "--batch",
                           "1",
                           "--data",
                           "synthetic",
                           "--machine",
                           "gpu=A100-80GB",
                           "-o",
                           "json"});
  CHECK(answer.code == cli::exit_nothing_satisfies);
  const auto ways = boost::json::serialize(boost::json::parse(answer.out).at("ways_out"));
  const auto card = found(ways, "such as ([A-Za-z0-9-]+)");
  CHECK(card == "H200");
}

TEST_CASE("next step: latencies that no machine reaches are told with those that one does") {
  const test::ModelFile model;
  for (const auto& [job, slo] : {std::pair{"service/job.toml", "p99=0.2ms"},
                                 std::pair{"llm/serve.toml", "ttft=2ms,tpot=1ms"},
                                 std::pair{"llm/serve.toml", "ttft=2345ms,tpot=1ms"}}) {
    CAPTURE(job);
    const std::vector<std::string> here{"--infra", "aws/us-east-1"};
    auto flags = here;
    flags.insert(flags.end(), {"--slo", slo});
    const auto asked = advise(examples + job, flags, model.path());
    CHECK(asked.code == cli::exit_nothing_satisfies);
    CAPTURE(asked.warnings);
    const auto named = found(asked.warnings, "--slo ([^ ]+) is within its reach");
    REQUIRE_FALSE(named.empty());
    CHECK(named.find("e+") == std::string::npos);
    CHECK((slo != std::string_view("ttft=2345ms,tpot=1ms") || named.starts_with("ttft=2.345s,")));
    flags.back() = named;
    CHECK(advise(examples + job, flags, model.path()).code == cli::exit_ok);
  }
}

TEST_CASE("next step: an engine trains nowhere, on no CPU either") {
  const test::ModelFile model;
  const auto asked = advise(
      examples + "demo/job.toml",
      {"--infra", "aws/us-east-1", "--framework", "TensorRT", "--deadline", "2000h"},
      model.path());
  CAPTURE(asked.warnings);
  CHECK(asked.code == cli::exit_nothing_satisfies);
}

TEST_CASE("next step: weights that fit no machine are told the form in which they do") {
  const test::ModelFile model;
  const auto asked = advise(examples + "llm/serve-70b.toml",
                            {"--infra", "aws/us-east-1", "--allow", "^g6e[.]xlarge$"},
                            model.path());
  CAPTURE(asked.warnings);
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CHECK(asked.warnings.find("under [job] they fit") != std::string::npos);
}
