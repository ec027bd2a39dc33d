// A service that does not run all hours of a month: what is given back meanwhile costs as many as
// it runs, what is reserved the whole month.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/token_world.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::answer_of;
using test::number;

namespace {

const std::vector<std::string> on_demand{
    "advise", test::small_llm, "--infra", "aws/us-east-1", "--allow", "^g6e.xlarge$"};
const std::vector<std::string> reserved{"advise",
                                        test::small_llm,
                                        "--infra",
                                        "gcp",
                                        "--market",
                                        "reserved-1y",
                                        "--allow",
                                        "^a2-highgpu-1g$"};

boost::json::value chosen(std::vector<std::string> words,
                          const std::vector<std::string>& more,
                          const test::ModelFile& model) {
  words.insert(words.end(), more.begin(), more.end());
  return answer_of(words, model.path()).at("chosen");
}

double cost(const boost::json::value& option) {
  return number(option.at("cost").at("value"));
}

double per_million(const boost::json::value& option) {
  return number(option.at("tokens").at("cost_per_1m_output_tokens"));
}

}  // namespace

TEST_CASE("service hours: by the hour a month costs the hours that it runs") {
  const test::ModelFile model;
  const auto all = chosen(on_demand, {}, model);
  const auto some = chosen(on_demand, {"--hours-per-month", "176"}, model);
  CHECK(number(some.at("nodes")) == number(all.at("nodes")));
  CHECK(cost(some) == test::approx(cost(all) * 176 / 730).epsilon(1e-6));
  CHECK(per_million(some) == test::approx(per_million(all)).epsilon(1e-6));
}

TEST_CASE("service hours: what is reserved costs the whole month") {
  const test::ModelFile model;
  const auto all = chosen(reserved, {}, model);
  const auto some = chosen(reserved, {"--hours-per-month", "176"}, model);
  CHECK(number(some.at("nodes")) == number(all.at("nodes")));
  CHECK(cost(some) == test::approx(cost(all)).epsilon(1e-6));
  CHECK(per_million(some) == test::approx(per_million(all) * 730 / 176).epsilon(1e-6));
}

TEST_CASE("service hours: a key of the job file, saved with its answer, and supposed") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto job = test::changed_llm_in(
      folder, "prompt_tokens = 512", "hours_per_month = 176\nprompt_tokens = 512");
  const std::vector<std::string> only{"--infra", "aws/us-east-1", "--allow", "^g6e.xlarge$"};
  std::vector<std::string> asked{"advise", job};
  asked.insert(asked.end(), only.begin(), only.end());
  const auto answer = answer_of(asked, model.path());
  CHECK(number(answer.at("query").at("service_hours_per_month")) == 176);
  std::vector<std::string> supposed{
      "what-if", test::small_llm, "aws/g6e.xlarge", "hours-per-month=176"};
  supposed.insert(supposed.end(), only.begin(), only.end());
  CHECK(cost(answer_of(supposed, model.path()).at("then")) == cost(answer.at("chosen")));
}

TEST_CASE("service hours: what is no number of them, and what is of jobs, is refused") {
  const auto refused = [](std::vector<std::string> more) {
    auto words = on_demand;
    words.insert(words.end(), more.begin(), more.end());
    const auto result = test::run_without_model(words);
    CHECK(result.code == cli::exit_usage);
    return result.err;
  };
  CHECK(refused({"--hours-per-month", "800"}).find("from 1 to 730") != std::string::npos);
  CHECK(refused({"--utilisation", "25%"}).find("--hours-per-month 176") != std::string::npos);
  const auto of_job = test::run_without_model(
      {"advise", RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml", "--hours-per-month", "176"});
  CHECK(of_job.err.find("it is of a service") != std::string::npos);
}
