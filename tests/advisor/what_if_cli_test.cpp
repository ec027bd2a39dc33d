// what-if as its user meets it: how it ends, and what is said beside it.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/approx.h"
#include "support/made_model.h"
#include "support/program.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

}  // namespace

TEST_CASE("cli: what-if ends with 3 where the machine could not do the job so, or not as asked") {
  const ModelFile model;
  const auto supposed = [&](const char* word, const char* deadline = "500h") {
    return run({"what-if",
                job,
                "g5.xlarge",
                word,
                "--infra",
                "aws",
                "--deadline",
                deadline,
                "--model",
                model.path()});
  };
  const auto cannot = supposed("memory=0.5");
  CHECK(cannot.code == cli::exit_nothing_satisfies);
  CHECK(cannot.out.find("could not do the job: host memory too small") != std::string::npos);
  CHECK(supposed("vcpus=+4").code == cli::exit_ok);
  const auto late = supposed("vcpus=+4", "5h");
  CHECK(late.code == cli::exit_nothing_satisfies);
  CHECK(late.out.find("So it misses") != std::string::npos);
  CHECK(run({"what-if", "--help"}).out.find("Exit code 3") != std::string::npos);
}

TEST_CASE("cli: what-if with another GPU says whose price it counts") {
  const ModelFile model;
  const auto said = [&](const std::vector<std::string>& supposed) {
    std::vector<std::string> arguments{
        "what-if", job, "g5.2xlarge", "--infra", "aws", "--model", model.path()};
    arguments.insert(arguments.end(), supposed.begin(), supposed.end());
    const auto result = run(arguments);
    CAPTURE(result.err);
    return result.out.find("at the price it has with its own GPU") != std::string::npos;
  };
  CHECK(said({"gpu=A100"}));
  CHECK_FALSE(said({"gpu=A100", "price=3.5"}));
  CHECK_FALSE(said({"vcpus=8"}));
}

TEST_CASE("what-if: of a machine that cannot do the job as it is, another job is answered") {
  const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/llm/serve.toml";
  const auto asked = [&](const std::string& supposed, const std::string& format) {
    return test::run_without_model(
        {"what-if", job, "g4dn.xlarge", supposed, "--infra", "aws/us-east-1", "-o", format});
  };
  const auto narrow = asked("weights=int4", "table");
  CAPTURE(narrow.err);
  CHECK(narrow.out.find("g4dn.xlarge cannot do this job as it is: ") != std::string::npos);
  const auto document = boost::json::parse(asked("weights=int4", "json").out);
  CHECK(document.at("now").is_null());
  CHECK(document.at("cannot_now").is_string());
  CHECK(document.at("then").is_object());
  CHECK(asked("weights=int4", "csv").err.find("cannot do this job as it is: ") !=
        std::string::npos);
  // Of the machine itself nothing is supposed that makes it do the job.
  CHECK(asked("price=-20%", "table").err.find("cannot do this job") != std::string::npos);
}

TEST_CASE("what-if: ten times the data take ten times as long, on a disk that holds them") {
  const auto result = test::run_without_model({"what-if",
                                               job,
                                               "g6e.2xlarge",
                                               "items=x10",
                                               "--infra",
                                               "aws",
                                               "--deadline",
                                               "1000h",
                                               "-o",
                                               "json"});
  CAPTURE(result.err);
  const auto document = boost::json::parse(result.out);
  const auto hours = [&](const char* side) {
    return document.at(side).at("hours").at("value").to_number<double>();
  };
  CHECK(hours("then") / hours("now") == test::approx(10).epsilon(0.1));
  CHECK(document.at("chosen_then").is_string());
  const auto epochs = test::run_without_model(
      {"what-if", job, "g6e.2xlarge", "epochs=45", "--infra", "aws", "-o", "json"});
  const auto half = boost::json::parse(epochs.out);
  CHECK(half.at("ratios").at("hours").at("value").to_number<double>() ==
        test::approx(0.5).epsilon(0.02));
}
