// Services whose sequences are not all as long.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
namespace json = boost::json;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string service(const TemporaryFolder& folder, const std::string& keys) {
  return folder.write("job.toml",
                      "[job]\nnetwork = \"llama-8b\"\nphase = \"decode\"\nprecision = \"bf16\"\n"
                      "[service]\nqps = 5\nprompt_tokens = 512\noutput_tokens = 128\n" +
                          keys + "[constraints]\ninfra = [\"aws/us-east-1\"]\n");
}

constexpr const char* limits = "first_token = \"1s\"\ntoken = \"50ms\"\n";
constexpr const char* spread = "prompt_tokens_stddev = 490\noutput_tokens_stddev = 100\n";

json::value fleet_of(const std::string& job) {
  const auto run = test::run_without_model({"advise", job, "-o", "json"});
  CAPTURE(run.err);
  REQUIRE(run.code == cli::exit_ok);
  return json::parse(run.out).at("chosen").at("tokens");
}

double seconds(const json::value& fleet, const char* quantile) {
  return fleet.at(quantile).at("value").to_number<double>();
}

}  // namespace

TEST_CASE(
    "length spread: first tokens of long prompts come later, short outputs' pace varies more") {
  const TemporaryFolder folder;
  const auto same = fleet_of(service(folder, limits));
  const auto spread_out = fleet_of(service(folder, std::string(limits) + spread));
  CHECK(seconds(spread_out, "first_token_p99") > 1.5 * seconds(same, "first_token_p99"));
  CHECK(seconds(spread_out, "token_p99") > 1.02 * seconds(same, "token_p99"));
  CHECK(seconds(spread_out, "token_p50") == test::approx(seconds(same, "token_p50")).epsilon(0.05));
}

TEST_CASE("length spread: it is told with the question, and taken up again from an answer") {
  const TemporaryFolder folder;
  const auto job = service(folder, std::string(limits) + spread);
  const auto text = test::run_without_model({"advise", job});
  REQUIRE(text.code == cli::exit_ok);
  CHECK(contains(text.out, "tokens in (stddev 490) and 128"));
  const auto answer = test::run_without_model({"advise", job, "-o", "json"});
  const auto asked = json::parse(answer.out).at("query").at("tokens");
  CHECK(asked.at("prompt_tokens_stddev").to_number<double>() == 490);
  CHECK(asked.at("output_tokens_stddev").to_number<double>() == 100);
}

TEST_CASE("length spread: a deviation that cannot be is refused with its place") {
  const TemporaryFolder folder;
  for (const auto* keys : {"prompt_tokens_stddev = -1\n", "prompt_tokens_stddev = 1600\n"}) {
    const auto run =
        test::run_without_model({"advise", service(folder, std::string(limits) + keys)});
    CHECK(run.code == cli::exit_usage);
    CHECK(contains(run.err, "job.toml:"));
    CHECK(contains(run.err, "from 0 to three times prompt_tokens = 512"));
  }
  const auto misspelt = test::run_without_model(
      {"advise", service(folder, std::string(limits) + "prompt_tokens_stdev = 100\n")});
  CHECK(misspelt.code == cli::exit_usage);
  CHECK(contains(misspelt.err, "prompt_tokens_stddev"));
}

TEST_CASE("length spread: prompts that are longer than the network reads are warned of") {
  const TemporaryFolder folder;
  const auto asked = [&](const char* keys) {
    return test::run_without_model(
               {"advise",
                folder.write("long.toml",
                             std::string("[job]\nnetwork = \"llama-8b\"\nphase = \"decode\"\n"
                                         "precision = \"bf16\"\n[service]\nqps = 1\n"
                                         "output_tokens = 100\nfirst_token = \"60s\"\n") +
                                 keys + "[constraints]\ninfra = [\"aws/us-east-1\"]\n")})
        .out;
  };
  const auto long_ones = asked("prompt_tokens = 60000\nprompt_tokens_stddev = 60000\n");
  CHECK(contains(long_ones, "more than llama-8b reads"));
  CHECK_FALSE(contains(asked("prompt_tokens = 6000\nprompt_tokens_stddev = 6000\n"),
                       "more than llama-8b reads"));
}

// What they would be is sized from the chosen server; asked for, all are made anew.
TEST_CASE("length spread: a service said to be all alike is told what a spread one takes") {
  const TemporaryFolder folder;
  const auto job = [&](const char* keys) {
    return folder.write("70b.toml",
                        std::string("[job]\nnetwork = \"llama-70b\"\nphase = \"decode\"\n"
                                    "precision = \"bf16\"\n[service]\nqps = 20\n"
                                    "prompt_tokens = 512\noutput_tokens = 128\n"
                                    "first_token = \"1s\"\ntoken = \"30ms\"\n") +
                            keys +
                            "[constraints]\ninfra = [\"aws/us-east-1\"]\n"
                            "allow = \"^p5.48xlarge$\"\n");
  };
  const auto text = test::run_without_model({"advise", job("")});
  const auto at = text.out.find("output_tokens_stddev = 99 in [service]), ");
  CAPTURE(text.out);
  REQUIRE(at != std::string::npos);
  const int told = std::stoi(text.out.substr(text.out.find("), ", at) + 3));
  const auto asked = fleet_of(job("prompt_tokens_stddev = 492\noutput_tokens_stddev = 99\n"));
  CHECK(asked.at("machines").to_number<int>() == told);
}

TEST_CASE("length spread: what a server is told to take is longer than the mean") {
  const TemporaryFolder folder;
  const auto told = [&](const std::string& keys) {
    const auto run = test::run_without_model(
        {"export",
         service(folder, std::string(limits) + "software = \"vLLM\"\n" + keys),
         "--to",
         "kubernetes"});
    CAPTURE(run.err);
    REQUIRE(run.code == cli::exit_ok);
    const auto at = run.out.rfind("--max-model-len ");
    REQUIRE(at != std::string::npos);
    return std::stoi(run.out.substr(at + std::string("--max-model-len ").size()));
  };
  CHECK(told("") == 640);
  const int longest = told(spread);
  CHECK(longest > 3500);  // 6.9 and 6 times the means
  CHECK(longest < 5500);
}

TEST_CASE("length spread: sequences that come together wait for each other's prompts") {
  const TemporaryFolder folder;
  const auto alone = fleet_of(service(folder, limits));
  const auto together = fleet_of(service(folder, std::string(limits) + "burst = 8\n"));
  CHECK(seconds(together, "first_token_p99") > 2 * seconds(alone, "first_token_p99"));
  const auto text =
      test::run_without_model({"advise", service(folder, std::string(limits) + "burst = 8\n")});
  CHECK(contains(text.out, "sequences/s in bursts of 8"));
  const auto refused =
      test::run_without_model({"advise", service(folder, std::string(limits) + "burst = 0.5\n")});
  CHECK(refused.code == cli::exit_usage);
  CHECK(contains(refused.err, "how many sequences arrive together on average"));
}

TEST_CASE("length spread: bursts are told what they cost, and supposed away") {
  const TemporaryFolder folder;
  const auto job = service(folder, std::string(limits) + "burst = 16\n");
  const auto text = test::run_without_model({"advise", job});
  CHECK(contains(text.out + text.err, "they are there for bursts, of which one in 100"));
  const auto alone = test::run_without_model({"what-if", job, "g6e.xlarge", "burst=1"});
  CAPTURE(alone.err);
  REQUIRE(alone.code == cli::exit_ok);
  CHECK(contains(alone.out, "With burst=1"));
  const auto few = test::run_without_model({"what-if", job, "g6e.xlarge", "burst=x0.01"});
  CHECK(few.code == cli::exit_usage);
  CHECK(contains(few.err, "burst: 0.16: expected how many arrive together on average"));
}
