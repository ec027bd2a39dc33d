// What one command says of limits and of today's machine, asked of another.
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/approx.h"
#include "support/program.h"

using namespace rightsize;
using test::run_without_model;

namespace {

const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/";

boost::json::value document_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"-o", "json"});
  const auto result = run_without_model(arguments);
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return boost::json::parse(result.out);
}

}  // namespace

TEST_CASE("limits: the soonest that explain says a machine answers is what advise takes it for") {
  const auto job = examples + "service/job.toml";
  const auto said =
      document_of({"explain", job, "g4dn.xlarge", "--infra", "aws/us-east-1"}).at("service");
  const double least_s = said.at("least_p99_s").to_number<double>();
  const auto asked = [&](double p99_s) {
    return run_without_model({"advise",
                              job,
                              "--infra",
                              "aws/us-east-1",
                              "--allow",
                              "^g4dn.xlarge$",
                              "--slo",
                              fmt::format("p99={:.3f}ms", 1e3 * p99_s)})
        .code;
  };
  CHECK(asked(1.03 * least_s) == cli::exit_ok);
  CHECK(asked(0.97 * least_s) == cli::exit_nothing_satisfies);
}

TEST_CASE("limits: the budget at which explain sees the answer flip is the one of advise") {
  const auto job = examples + "demo/job.toml";
  const std::vector<std::string> question{job, "--infra", "aws", "--budget", "100"};
  auto explain = question;
  explain.insert(explain.begin(), "explain");
  const auto document = document_of(explain);
  const boost::json::value* budget = nullptr;
  for (const auto& row : document.at("sensitivities").as_array()) {
    budget = row.at("what") == "budget" ? &row : budget;
  }
  REQUIRE(budget != nullptr);
  REQUIRE_FALSE(budget->at("flips").as_array().empty());
  for (const auto& flip : budget->at("flips").as_array()) {
    for (const auto& [side, factor] :
         {std::pair{"chosen_below", 0.99}, std::pair{"chosen_above", 1.01}}) {
      const auto& named = flip.at(side);
      const std::string expected = named.is_null() ? "" : named.as_string().c_str();
      auto advise = question;
      advise.insert(advise.begin(), "advise");
      advise.back() = fmt::format("{:.2f}", factor * flip.at("at").to_number<double>());
      advise.insert(advise.end(), {"-o", "json"});
      const auto result = run_without_model(advise);
      CAPTURE(advise[5]);
      if (expected.empty()) {
        CHECK(result.code == cli::exit_nothing_satisfies);
        continue;
      }
      REQUIRE(result.code == cli::exit_ok);
      const auto chosen = boost::json::parse(result.out).at("chosen");
      CHECK(expected == fmt::format("{}/{}",
                                    chosen.at("provider").as_string().c_str(),
                                    chosen.at("instance").as_string().c_str()));
    }
  }
}

TEST_CASE("limits: a retired machine of today is judged as it was sold, and said to be retired") {
  const auto current = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{
        "advise", examples + "demo/job.toml", "--infra", "aws", "--current", "p3.8xlarge"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return document_of(arguments).at("current");
  };
  const auto retired = current({});
  const auto sold = current({"--retired"});
  CHECK(retired.at("finding") == "NotOptimized");  // nobody can stay on it
  CHECK(retired.at("move").as_bool());
  CHECK(retired.at("option").at("cost") == sold.at("option").at("cost"));
  CHECK(retired.at("note").as_string().find("retired by the provider on") !=
        boost::json::string::npos);
}

TEST_CASE("limits: a rented disk holds the weights that are trained, and a checkpoint") {
  const auto chosen = document_of({"advise", examples + "llm/train.toml"}).at("chosen");
  const std::string disk = chosen.at("disk").as_string().c_str();
  CAPTURE(disk);
  const auto end = disk.find(" GiB");
  REQUIRE(end != std::string::npos);
  const auto begin = disk.rfind(' ', end - 1) + 1;
  // 8.03e9 parameters in 16 bits, and in 32 with two moments of AdamW.
  CHECK(std::stod(disk.substr(begin, end - begin)) > 8.03e9 * (2 + 12) / 0x1p30);
}

TEST_CASE("limits: explain's tree adds up with what is reserved and idle, or taken off") {
  const std::vector<std::vector<std::string>> questions{
      {examples + "demo/job.toml",
       "--infra",
       "gcp",
       "--market",
       "reserved-1y",
       "--utilisation",
       "50%"},
      {examples + "service/job.toml", "--infra", "gcp/us-*", "--custom-shapes", "--allow", "T4"}};
  for (const auto& question : questions) {
    auto arguments = question;
    arguments.insert(arguments.begin(), "explain");
    const auto cost = document_of(arguments).at("cost");
    double hourly = 0;
    double times = 1;
    double terms = 0;
    for (const auto& part : cost.at("parts").as_array()) {
      const auto value = part.at("value").at("value").to_number<double>();
      const std::string name = part.at("name").as_string().c_str();
      if (name == "price" || name == "disk") {
        hourly += value;
      } else if (name == "hours") {
        times *= value;
      } else if (name == "machines") {
        times *= 730 * value;
      } else {
        terms += value;
      }
    }
    CAPTURE(boost::json::serialize(cost.at("formula")));
    CHECK(terms != 0);
    CHECK(hourly * times + terms ==
          test::approx(cost.at("value").at("value").to_number<double>()).epsilon(1e-3));
  }
}
