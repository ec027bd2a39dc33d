// A language model that writes tokens: one rule in every command, the weights that do not fit
// named, and what is said wrong refused.
#include <fstream>
#include <set>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/token_world.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::changed_llm;
using test::number;
using test::run;

namespace {

const std::string& small = test::small_llm;
const std::string& large = test::large_llm;

bool rejects(const boost::json::value& document, const char* words) {
  for (const auto& rejection : document.at("rejected").as_array()) {
    if (rejection.at("reason").as_string().find(words) != boost::json::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("one token service: advise, predict, size and simulate agree") {
  const test::ModelFile model;
  for (const auto& [job, instance, gpu] :
       {std::tuple{small, "g6e.xlarge", "L40S"}, {large, "p4de.24xlarge", "A100-80GB:8"}}) {
    CAPTURE(instance);
    const auto advised = test::answer_of(
        {"advise", job, "--infra", "aws/us-east-1", "--allow", std::string("^") + instance + "$"},
        model.path());
    const auto& chosen = advised.at("chosen").at("tokens");
    const auto machine = std::string("aws/") + instance;
    for (const auto& other :
         {test::answer_of({"predict", job, "--machine", machine}, model.path()),
          test::answer_of({"size", job, "--gpu", gpu}, model.path()),
          test::answer_of({"simulate", job, "--machine", machine}, model.path())}) {
      const auto& tokens = other.at("tokens");
      CHECK(tokens.at("machines") == chosen.at("machines"));
      CHECK(tokens.at("gpus_per_replica") == chosen.at("gpus_per_replica"));
      CHECK(number(tokens.at("first_token_p99").at("value")) ==
            test::approx(number(chosen.at("first_token_p99").at("value"))));
      CHECK(number(tokens.at("token_p99").at("value")) ==
            test::approx(number(chosen.at("token_p99").at("value"))));
    }
  }
}

TEST_CASE("one token service: what one machine answers is told with what may be off") {
  const test::ModelFile model;
  const auto said = run({"predict", small, "--machine", "aws/g6e.xlarge", "--model", model.path()});
  REQUIRE(said.code == cli::exit_ok);
  CHECK(said.out.find("by its speed and the laws of waiting)") != std::string::npos);
}

TEST_CASE("one token service: predict shares a machine's GPUs as advise does, by any objective") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  std::set<std::int64_t> shares;
  for (const auto* objective : {"cost", "time", "cost*0.5+time*0.5"}) {
    CAPTURE(objective);
    std::ofstream(folder / "job.toml") << changed_llm(
        "[constraints]", std::string("[constraints]\nobjective = \"") + objective + "\"");
    const auto advised = test::answer_of(
        {"advise", folder / "job.toml", "--infra", "aws/us-east-1", "--allow", "^g6e.12xlarge$"},
        model.path());
    const auto said = test::answer_of(
        {"predict", folder / "job.toml", "--machine", "aws/g6e.12xlarge"}, model.path());
    const auto& chosen = advised.at("chosen").at("tokens");
    CHECK(said.at("tokens").at("gpus_per_replica") == chosen.at("gpus_per_replica"));
    CHECK(said.at("tokens").at("machines") == chosen.at("machines"));
    shares.insert(chosen.at("gpus_per_replica").as_int64());
  }
  CHECK(shares.size() > 1);
}

TEST_CASE("one token service: of one token only the first is timed") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto write = [&](const std::string& text) {
    std::ofstream(folder / "job.toml") << text;
    return std::vector<std::string>{
        "advise", folder / "job.toml", "--infra", "aws/us-east-1", "--model", model.path()};
  };
  auto text = changed_llm("output_tokens = 128", "output_tokens = 1");
  text.replace(text.find("token = \"50ms\""), 14, "token = \"1ms\" ");
  auto asked = write(text);
  const auto shown = run(asked);
  CAPTURE(shown.out);
  CHECK(shown.code == cli::exit_ok);
  CHECK(shown.out.find("— a token") != std::string::npos);
  CHECK(shown.out.find("nan") == std::string::npos);
  asked.insert(asked.end(), {"-o", "json"});
  const auto document = boost::json::parse(run(asked).out);
  CHECK(document.at("chosen").at("tokens").at("token_p99").at("value").is_null());
  text.replace(text.find("first_token = \"1s\""), 18, "");
  const auto refused = run(write(text));
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("first_token") != std::string::npos);
}

TEST_CASE("one token service: arm64 hosts serve, as nothing of a CPU's is measured for it") {
  const test::ModelFile model;
  const auto document = test::answer_of({"advise", small}, model.path());
  CHECK_FALSE(rejects(document, "another CPU architecture"));
}

TEST_CASE("one token service: a month's bill is that of the tokens written in it") {
  const test::ModelFile model;
  const auto document =
      test::answer_of({"advise", small, "--infra", "aws/us-east-1"}, model.path());
  const auto& chosen = document.at("chosen");
  const auto& tokens = chosen.at("tokens");
  const double written = 5.0 * 128 * 730 * 3600;
  CHECK(number(tokens.at("cost_per_1m_output_tokens")) ==
        test::approx(number(chosen.at("cost").at("value")) / written * 1e6));
  CHECK(number(chosen.at("cost").at("value")) ==
        test::approx(std::atof(chosen.at("price_per_hour").as_string().c_str()) * 730 *
                     number(tokens.at("machines")))
            .epsilon(0.01));
  CHECK(number(tokens.at("first_token_p99").at("value")) < 1);
  CHECK(number(tokens.at("token_p99").at("value")) < 0.05);
  CHECK(number(tokens.at("p_enough")) >= 0.9);
  CHECK(document.at("query").at("tokens").at("output_tokens") == 128);
}

TEST_CASE("one token service: weights that do not fit are in the rejected list") {
  const test::ModelFile model;
  const auto document =
      test::answer_of({"advise", large, "--infra", "aws/us-east-1"}, model.path());
  CHECK(rejects(document, "do not fit"));
  CHECK(rejects(document, "no GPU"));
  const auto& tokens = document.at("chosen").at("tokens");
  // 70 billion parameters of a byte, the table of tokens and the head of two.
  const double bytes =
      number(tokens.at("weight_bytes_per_gpu")) * number(tokens.at("gpus_per_replica"));
  CHECK(bytes == test::approx(68.5e9 + 2 * 2 * 1.05e9).epsilon(0.02));
  const auto one = run({"predict", large, "--machine", "gpu=L40S", "--model", model.path()});
  CHECK(one.code == cli::exit_nothing_satisfies);
  CHECK(one.out.find("do not fit") != std::string::npos);
}

TEST_CASE("one token service: tighter limits and more callers never take fewer machines") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  double before = 0;
  for (const auto* qps : {"5", "50", "500"}) {
    const auto document = test::answer_of(
        {"advise", small, "--infra", "aws/us-east-1", "--allow", "^g6e.xlarge$", "--qps", qps},
        model.path());
    const double machines = number(document.at("chosen").at("tokens").at("machines"));
    CHECK(machines >= before);
    before = machines;
  }
  CHECK(before > 5);
  std::ofstream(folder / "tight.toml") << changed_llm("token = \"50ms\"", "token = \"1ms\"");
  const auto tight = run({"advise", folder / "tight.toml", "--model", model.path()});
  CHECK(tight.code == cli::exit_nothing_satisfies);
  CHECK(tight.out.find("too slow for the tokens") != std::string::npos);
}

TEST_CASE("one token service: what is said wrong is named") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& from, const std::string& to, const char* words) {
    std::ofstream(folder / "job.toml") << changed_llm(from, to);
    const auto result = run({"advise", folder / "job.toml", "--model", model.path()});
    CAPTURE(to);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find(words) != std::string::npos);
  };
  refused("# weights = \"int4\"", "weights = \"int3\"", "int8");
  refused("phase = \"decode\"", "phase = \"decode\"\nbatch_per_gpu = 8", "in flight");
  refused("prompt_tokens = 512", "", "prompt_tokens");
  refused("token = \"50ms\"", "token = \"50\"", "5ms");
  refused("output_tokens = 128", "output_tokens = 200000", "131072");
  refused("# software = \"TensorRT-LLM\"", "software = \"mine\"", "llama.cpp");
  refused("network = \"llama-8b\"", "network = \"resnet50\"", "token");
}
