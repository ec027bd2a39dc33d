// A language model on a machine too small for it, and the software that serves it, as they are
// asked about on the command line.
#include <fstream>
#include <regex>
#include <sstream>

#include "advisor/token_world.h"
#include "advisor/way_followed.h"
#include "support/approx.h"

using namespace rightsize;
using test::found;
using test::run;
using test::with;

namespace {

// The job with the narrower weights that a way names.
std::string job_with(const TemporaryFolder& folder,
                     const std::string& path,
                     const std::string& weights) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  const auto plain = std::regex_replace(text.str(), std::regex("\n(# )?weights = [^\n]*"), "");
  auto job = folder / "job.toml";
  std::ofstream(job) << std::regex_replace(plain, std::regex("\\[job\\]"), "[job]\n" + weights);
  return job;
}

}  // namespace

TEST_CASE("token way out: a machine too small for the model is told what would do, and that does") {
  const TemporaryFolder folder;
  for (const auto& [job, machine] : {std::pair{test::small_llm, "aws/g4dn.xlarge"},
                                     std::pair{test::small_llm, "gpu=V100-16GB"},
                                     std::pair{test::large_llm, "aws/g6e.xlarge"},
                                     std::pair{test::large_llm, "gpu=A100-80GB"},
                                     std::pair{test::large_llm, "gpu=L40S:2,link=nvlink"}}) {
    for (const auto* command : {"predict", "simulate"}) {
      CAPTURE(command);
      CAPTURE(machine);
      const auto asked =
          test::run_without_model({command, job, "--machine", machine, "-o", "json"});
      CHECK(asked.code == cli::exit_nothing_satisfies);
      CAPTURE(asked.out);
      const auto ways = boost::json::parse(asked.out).at("ways_out").as_array();
      CHECK_FALSE(ways.empty());
      for (const auto& one : ways) {
        const std::string way(one.as_string());
        CAPTURE(way);
        const auto weights = found(way, "^(weights = \"[a-z0-9]+\") under .job.$");
        const auto followed =
            weights.empty() ? with({command, job}, way)
                            : with({command, job_with(folder, job, weights), "--machine"}, machine);
        const auto again = test::run_without_model(followed);
        CAPTURE(again.err);
        CHECK(again.code == cli::exit_ok);
      }
    }
  }
  const auto text =
      test::run_without_model({"predict", test::large_llm, "--machine", "gpu=A100-80GB"}).out;
  CHECK(text.find("no number of them is in time") != std::string::npos);  // it does fit
  CHECK(text.find("\nNext: ") != std::string::npos);
}

TEST_CASE("token way out: size names its own flag") {
  const auto asked = test::run_without_model({"size", test::large_llm, "--gpu", "L40S"});
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CAPTURE(asked.out);
  const auto way = found(asked.out, "(--gpu [A-Za-z0-9:-]+)");
  REQUIRE_FALSE(way.empty());
  CHECK(test::run_without_model(with({"size", test::large_llm}, way)).code == cli::exit_ok);
}

TEST_CASE("decode software: --framework says who serves, and another is refused by name") {
  const test::ModelFile model;
  const auto width = [&](const std::vector<std::string>& more) {
    std::vector<std::string> asked{"predict", test::small_llm, "--machine", "gpu=L40S"};
    asked.insert(asked.end(), more.begin(), more.end());
    const auto in_time = test::answer_of(asked, model.path()).at("in_time");
    return test::number(in_time.at("high")) / test::number(in_time.at("low"));
  };
  CHECK(width({"--framework", "tensorrt-llm"}) < width({}));
  CHECK(width({"--framework", "gpt-fast"}) > width({}));
  // Of one sequence alone it is nearer to the law than all are, of many nobody has shown it.
  CHECK(width({"--framework", "lmdeploy"}) == test::approx(width({})));
  const auto advised = test::answer_of(
      {"advise", test::small_llm, "--infra", "aws/us-east-1", "--framework", "gpt-fast"},
      model.path());
  CHECK(advised.at("query").at("tokens").at("software").as_string() == "gpt-fast");
  const std::vector<std::string> gpt2{
      "predict", "--network", "gpt2", "--phase", "decode", "--machine", "gpu=L40S"};
  for (const auto& asked :
       {std::vector<std::string>{"advise", test::small_llm},
        std::vector<std::string>{"predict", test::small_llm, "--machine", "gpu=L40S"},
        gpt2}) {
    const auto refused = run(with(asked, "--framework PyTorch"));
    CHECK(refused.code == cli::exit_usage);
    CHECK(refused.err.find("--framework PyTorch: expected what writes tokens, TensorRT-LLM, ") !=
          std::string::npos);
  }
  const auto named = run(with(gpt2, "--framework gpt-fast --batch 1"));
  CHECK(named.code == cli::exit_ok);
  CHECK(named.out.find("interval of gpt-fast") != std::string::npos);
  // Published rates of it are of one sequence at a time.
  const auto many = run(with(gpt2, "--framework gpt-fast --batch 8"));
  CHECK(many.out.find("few figures of gpt-fast are here of many sequences") != std::string::npos);
}

TEST_CASE("decode software: framework under [job] serves where [service] names none") {
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  const auto job = [&](const std::string& framework, const std::string& software) {
    auto text = test::changed_llm("phase = \"decode\"", "phase = \"decode\"\n" + framework);
    text.replace(text.find("[service]"), 9, "[service]\n" + software);
    std::ofstream(path) << text;
    return test::run_without_model({"predict", path, "--machine", "gpu=L40S"});
  };
  const auto answered = job("framework = \"tensorrt-llm\"", "");
  CHECK(answered.code == cli::exit_ok);
  CHECK(answered.out.find("(models/README.md); interval of TensorRT-LLM") != std::string::npos);
  CHECK(job("framework = \"PyTorch\"", "").err.find("framework = \"PyTorch\": expected what") !=
        std::string::npos);
  CHECK(job("framework = \"gpt-fast\"", "software = \"llama.cpp\"").code == cli::exit_usage);
}
