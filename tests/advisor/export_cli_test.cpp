// The command that exports: what it writes, what it refuses, and what it says is next.
#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "exported_job.h"
#include "support/made_model.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

struct Result {
  int code = 0;
  std::string out;
  std::string err;
};

Result run(std::vector<std::string> arguments) {
  const TemporaryFolder folder;
  const auto model = folder / "model.json";
  std::ofstream(model) << boost::json::serialize(to_json(test::made_model()));
  arguments.insert(arguments.end(), {"--model", model});
  std::ostringstream out;
  std::ostringstream err;
  cli::Context context{out, err, {}, {}, false};
  const int code = cli::run_program(context, arguments);
  return {code, out.str(), err.str()};
}

}  // namespace

TEST_CASE("export: the next command is one that a shell takes, and that starts spot jobs again") {
  const TemporaryFolder folder;
  const auto written = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{
        "export", job, "--infra", "aws", "--out-file", folder / name};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments).err;
  };
  CHECK(contains(written("my task.yaml", {}), "Next: sky launch '"));
  CHECK(contains(written("my task.yaml", {}), "my task.yaml' --env TRAIN_COMMAND='...'\n"));
  CHECK(
      contains(written("task.yaml", {}), "Next: sky launch " + (folder / "task.yaml") + " --env"));
  const std::vector<std::string> spot{"--market", "spot", "--deadline", "90d"};
  CHECK(contains(written("spot.yaml", spot), "Next: sky jobs launch " + (folder / "spot.yaml")));
  std::ifstream in(folder / "spot.yaml");
  std::stringstream text;
  text << in.rdbuf();
  CHECK(contains(text.str(), "required: sky jobs launch --env TRAIN_COMMAND="));
  CHECK(contains(text.str(), "# Checkpoints have to lie elsewhere than on its disk"));
}

TEST_CASE("export: the command writes what advise chose, and refuses what it cannot") {
  const auto first = run({"export", job, "--infra", "aws", "-o", "json"});
  CHECK(first.code == cli::exit_ok);
  const auto document = boost::json::parse(first.out).as_object();
  CHECK(document.at("schema").as_string() == "rightsize/export/1");
  const auto advised =
      boost::json::parse(run({"advise", job, "--infra", "aws", "-o", "json"}).out).as_object();
  const auto& chosen = advised.at("chosen").as_object();
  CHECK(document.at("option").as_object().at("instance") == chosen.at("instance"));
  CHECK(contains(std::string(document.at("text").as_string()),
                 "instance_type: \"" + std::string(chosen.at("instance").as_string()) + "\""));
  const auto typo = run({"export", job, "--to", "kubernets"});
  CHECK(typo.code == cli::exit_usage);
  CHECK(contains(typo.err, "did you mean kubernetes?"));
  const auto instance = std::string(chosen.at("instance").as_string());
  const auto named = run({"export", job, "--infra", "aws", "--option", instance});
  CHECK(named.out == std::string(document.at("text").as_string()));
  const auto count =
      fmt::format("there are {} options",
                  boost::json::parse(run({"advise", job, "--max-results", "0", "-o", "json"}).out)
                      .at("options")
                      .as_array()
                      .size());
  for (const auto* number : {"0", "1000"}) {
    const auto refused = run({"export", job, "--option", number});
    CHECK(refused.code == cli::exit_usage);
    CHECK(contains(refused.err, count));
  }
  CHECK(run({"export", job, "--option", "-1"}).code == cli::exit_usage);
  const auto nothing = run({"export", job, "--deadline", "9s"});
  CHECK(nothing.code == cli::exit_nothing_satisfies);
  CHECK(nothing.out.empty());
}

TEST_CASE("export: the way out of a refusal replaces the places asked for, and works") {
  const std::vector<std::string> asked{"export", job, "--to", "kubernetes", "--deadline", "30d"};
  auto refused = asked;
  refused.insert(refused.end(), {"--infra", "lambda"});
  const auto refusal = run(refused);
  CHECK(refusal.code == cli::exit_usage);
  const auto at = refusal.err.find("ask for --infra aws");
  REQUIRE(at != std::string::npos);
  CHECK(contains(refusal.err, " in place of lambda\n"));
  auto followed = asked;
  std::istringstream words(refusal.err.substr(at + std::string("ask for ").size()));
  for (std::string word; words >> word && word != "in";) {
    followed.push_back(word);
  }
  const auto after = run(followed);
  CHECK(after.code == cli::exit_ok);
  CHECK(contains(after.out, "kind: Pod"));
}

TEST_CASE("export: a price is said as it is paid, and whether anybody published it") {
  const TemporaryFolder folder;
  std::ofstream(folder / "book.toml")
      << "book = \"mine\"\nas_of = \"2026-11-01\"\n[[offer]]\nprovider = \"aws\"\n"
         "instance = \"g6e.xlarge\"\nregion = \"us-east-1\"\nprice = \"900\"\nper = \"month\"\n";
  const auto exported = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"export", job, "--to", "skypilot"});
    const auto result = run(more);
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return result.out;
  };
  CHECK(contains(exported({"--prices", folder / "book.toml", "--deadline", "700h"}),
                 "Price 900.00 USD per month, on-demand"));
  const auto reserved =
      exported({"--infra", "aws", "--market", "reserved-1y", "--reserved-discount", "30%"});
  CHECK(contains(reserved, "[assumed]"));
  CHECK_FALSE(contains(reserved, "per hour, reserved-1y, undated [published]"));
}
