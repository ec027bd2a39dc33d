// A language model that writes tokens in other commands: what what-if says of it is what advise
// answers when it is asked so, and what export and verify make of it.
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/token_world.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using boost::json::value;
using test::answer_of;
using test::changed_llm_in;
using test::number;
using test::run;

namespace {

const std::string& small = test::small_llm;
const std::string here = "aws/us-east-1";

std::string text_of(const value& text) {
  return std::string(text.as_string());
}

}  // namespace

TEST_CASE("token commands: what if is what the job so changed asks") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const std::vector<std::string> only = {"--infra", here, "--allow", "^g6e.xlarge$"};
  const auto same =
      [&](const char* supposed, const std::string& job, std::vector<std::string> more) {
        CAPTURE(supposed);
        std::vector<std::string> what_if{"what-if", small, "aws/g6e.xlarge", supposed};
        what_if.insert(what_if.end(), only.begin(), only.end());
        more.insert(more.begin(), {"advise", job});
        more.insert(more.end(), only.begin(), only.end());
        const auto then = answer_of(what_if, model.path()).at("then");
        const auto asked = answer_of(more, model.path()).at("chosen");
        CHECK(then.at("tokens") == asked.at("tokens"));
        CHECK(number(then.at("cost").at("value")) == number(asked.at("cost").at("value")));
      };
  same("qps=x4", small, {"--qps", "20"});
  same("weights=int4",
       changed_llm_in(folder, "# weights = \"int4\"      #", "weights = \"int4\"      #"),
       {});
  same("prompt-tokens=1024",
       changed_llm_in(folder, "prompt_tokens = 512", "prompt_tokens = 1024"),
       {});
  same(
      "output-tokens=x2", changed_llm_in(folder, "output_tokens = 128", "output_tokens = 256"), {});
  same("cached-prompt-tokens=448",
       changed_llm_in(
           folder, "prompt_tokens = 512", "prompt_tokens = 512\ncached_prompt_tokens = 448"),
       {});
  same("prompt-tokens-stddev=490",
       changed_llm_in(
           folder, "prompt_tokens = 512", "prompt_tokens = 512\nprompt_tokens_stddev = 490"),
       {});
  same("output-tokens-stddev=100",
       changed_llm_in(
           folder, "output_tokens = 128", "output_tokens = 128\noutput_tokens_stddev = 100"),
       {});
  same("token=40ms", changed_llm_in(folder, "token = \"50ms\"", "token = \"40ms\""), {});
  same("first-token=+1s",
       changed_llm_in(folder, "first_token = \"1s\"", "first_token = \"2s\""),
       {});
}

TEST_CASE("token commands: a faster GPU never takes more machines, a dearer one costs more") {
  const test::ModelFile model;
  const auto then = [&](const char* supposed) {
    return answer_of({"what-if", small, "aws/g6e.xlarge", supposed, "--infra", here}, model.path())
        .at("then");
  };
  const auto now = then("price=x1");
  CHECK(number(then("gpu-speed=x2").at("nodes")) <= number(now.at("nodes")));
  CHECK(number(then("gpu-speed=x2").at("tokens").at("token_p99").at("value")) <
        number(now.at("tokens").at("token_p99").at("value")));
  CHECK(number(then("price=+10%").at("cost").at("value")) ==
        test::approx(1.1 * number(now.at("cost").at("value"))));
  CHECK(number(then("machines=+1").at("nodes")) == number(now.at("nodes")) + 1);
}

TEST_CASE("token commands: a supposition that means nothing is refused by its name") {
  const test::ModelFile model;
  const auto refused = [&](const char* supposed, const char* words) {
    const auto result = run(
        {"what-if", small, "aws/g6e.xlarge", supposed, "--infra", here, "--model", model.path()});
    CAPTURE(supposed);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find(words) != std::string::npos);
  };
  refused("p99=50ms", "first-token");
  refused("batch=8", "batch");
  refused("weights=int3", "int4");
  refused("gpus-per-replica=0.5", "whole number");
  refused("output-tokens=200000", "prompt-tokens + output-tokens");
  refused("first-token=5", "time such as");
}

TEST_CASE("token commands: today's machines are kept, or said to be too many, few or small") {
  const test::ModelFile model;
  const auto current = [&](const std::string& today) {
    return answer_of({"advise", small, "--infra", here, "--current", today}, model.path())
        .at("current");
  };
  const auto advised = answer_of({"advise", small, "--infra", here}, model.path());
  const auto& chosen = advised.at("chosen");
  const auto name = text_of(chosen.at("instance"));
  const auto machines = chosen.at("nodes").as_int64();
  CHECK(current(std::to_string(machines) + " x " + name).at("finding") == "Optimized");
  const auto many = current(std::to_string(10 * machines) + " x " + name);
  CHECK(many.at("finding") == "Overprovisioned");
  CHECK(many.at("finding_reason_codes").as_array()[0] == "MachinesOverprovisioned");
  CHECK(number(many.at("savings_opportunity").at("share").at("value")) ==
        test::approx(0.9).epsilon(0.001));
  const auto small_gpu = current("g4dn.xlarge");
  CHECK(small_gpu.at("finding") == "Underprovisioned");
  CHECK(small_gpu.at("finding_reason_codes").as_array()[0] == "GPUMemoryUnderprovisioned");
}

TEST_CASE("token commands: too few machines are asked for more than they can write") {
  const test::ModelFile model;
  const auto document =
      answer_of({"advise", small, "--infra", here, "--qps", "200", "--current", "1 x g6e.xlarge"},
                model.path());
  const auto& current = document.at("current");
  CHECK(current.at("finding") == "Underprovisioned");
  CHECK(current.at("finding_reason_codes").as_array()[0] == "MachinesUnderprovisioned");
  CHECK(current.at("option").at("tokens").at("token_p99").at("value").is_null());
}

TEST_CASE("token commands: what is exported is the fleet, with room for the weights") {
  const test::ModelFile model;
  const auto document = answer_of({"advise", small, "--infra", here, "--qps", "100"}, model.path());
  const auto& tokens = document.at("chosen").at("tokens");
  const auto machines = std::to_string(tokens.at("machines").as_int64());
  const auto text = [&](const char* tool) {
    return run(
        {"export", small, "--infra", here, "--qps", "100", "--to", tool, "--model", model.path()});
  };
  CHECK(text("kubernetes").out.find("replicas: " + machines + "  # one a machine") !=
        std::string::npos);
  CHECK(text("skypilot").out.find("replicas: " + machines + "\n") != std::string::npos);
  const auto variables = boost::json::parse(text("terraform").out);
  CHECK(variables.at("instance_count") == tokens.at("machines"));
  CHECK(variables.at("gpus_per_replica") == tokens.at("gpus_per_replica"));
  CHECK(variables.at("sequences_per_replica") == tokens.at("most_sequences"));
  CHECK_FALSE(variables.as_object().contains("batch_per_gpu"));
  const double weights =
      number(tokens.at("weight_bytes_per_gpu")) * number(tokens.at("gpus_per_replica"));
  CHECK(number(variables.at("disk_size_gib")) * 0x1p30 > weights);
  CHECK(number(variables.at("disk_size_gib")) * 0x1p30 < weights + 22 * 0x1p30);
  const auto slurm = text("slurm");
  CHECK(slurm.code == cli::exit_usage);
  CHECK(slurm.err.find("kubernetes") != std::string::npos);
}

TEST_CASE("token commands: verify refuses, and says what to measure instead") {
  const test::ModelFile model;
  const auto refused = run({"verify", small, "--infra", here, "--model", model.path()});
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("rightsize simulate") != std::string::npos);
  CHECK(refused.err.find("Or measure it: rent one ") != std::string::npos);
  std::istringstream lines(refused.err);
  for (std::string line; std::getline(lines, line);) {
    // A paragraph is folded; a command stays on one line, however long the checkout's own path is.
    const bool command = line.find(small) != std::string::npos;
    CHECK(line.size() - (command ? std::string(small).size() : 0) <= 110);
  }
}

TEST_CASE("token commands: a GPU without the precision asked for is said to lack it") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto job =
      changed_llm_in(folder, "# weights = \"int4\"      #", "weights = \"int4\"      #");
  const std::string words = "the T4 has no bf16: it computes in fp16";
  const auto advised = run({"advise",
                            job,
                            "--infra",
                            here,
                            "--allow",
                            "^g4dn.xlarge$",
                            "--qps",
                            "1",
                            "--model",
                            model.path()});
  CAPTURE(advised.out);
  CHECK(advised.out.find(words) != std::string::npos);
  CHECK(advised.out.find("T4 fp16") != std::string::npos);
  const auto predicted =
      run({"predict", job, "--machine", "aws/g4dn.xlarge", "--model", model.path()});
  CHECK(predicted.out.find(words) != std::string::npos);
}

TEST_CASE("token commands: limits on the command line are those of the job file") {
  const test::ModelFile model;
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{
        "advise", small, "--infra", here, "--model", model.path(), "-o", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  const auto limits = [&](std::vector<std::string> more) {
    const auto result = with(std::move(more));
    CAPTURE(result.err);
    const auto document = boost::json::parse(result.out);
    const auto& asked = document.at("query").at("tokens");
    return std::pair{number(asked.at("first_token_s")), number(asked.at("token_s"))};
  };
  const auto both = limits({"--slo", "ttft=3s,tpot=80ms"});
  CHECK(both.first == test::approx(3));
  CHECK(both.second == test::approx(0.08));
  CHECK(limits({"--ttft", "3s", "--tpot", "80ms"}) == both);
  CHECK(limits({"--tpot", "80ms"}).second == test::approx(0.08));
  for (const auto* wrong : {"p99=50ms", "ttft", "ttft=", "tpot=0ms", "ttft=1s;tpot=50ms", ""}) {
    CAPTURE(wrong);
    const auto result = with({"--slo", wrong});
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find("--slo") != std::string::npos);
  }
  const auto request = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/service/job.toml";
  CHECK(run({"advise", request, "--ttft", "1s"}).code == cli::exit_usage);
  CHECK(run({"advise", request, "--slo", "ttft=1s"}).code == cli::exit_usage);
}

TEST_CASE("token commands: a host that cannot hold the weights is warned of") {
  const test::ModelFile model;
  const auto warned = [&](const std::string& flag, const std::string& gib) {
    const auto answer = answer_of(
        {"advise", test::large_llm, "--slo", "ttft=1s,tpot=97ms", flag, gib}, model.path());
    return boost::json::serialize(answer.at("warnings")).find("GiB of memory and the weights") !=
           std::string::npos;
  };
  CHECK(warned("--memory-max", "64"));  // 70 billion parameters of a byte, 65.7 GiB
  CHECK_FALSE(warned("--memory-min", "128"));
}
