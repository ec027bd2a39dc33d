// Deadlines, budgets and waits that nothing meets: what is named in their place is met, and little
// less is not.
#include "advisor/way_followed.h"

using namespace rightsize;
using test::advise;
using test::all_found;
using test::examples;
using test::found;
using test::with;

namespace {

constexpr const char* limits = "((?:--deadline [0-9.]+[smh] ?)?(?:--budget [0-9.]+)?) [(]";

// Without the flags of `limit`, as what is named goes in their place.
std::vector<std::string> named(const test::Asked& asked) {
  std::vector<std::string> ways;
  for (auto& way : all_found(asked.warnings, limits)) {
    if (!way.empty()) {
      ways.push_back(way);
    }
  }
  return ways;
}

struct Unmet {
  const char* job;
  std::vector<std::string> flags;
  const char* flag;  // the one that is too tight
};

// "--deadline 27.4h", a twentieth less.
std::string less(const std::string& way) {
  std::smatch parts;
  REQUIRE(std::regex_match(way, parts, std::regex("(--[a-z]+) ([0-9.]+)([smh]?)")));
  return parts[1].str() + " " + std::to_string(0.95 * std::stod(parts[2].str())) + parts[3].str();
}

}  // namespace

TEST_CASE("next limit: the least deadline or budget is named, is met, and no less would be") {
  const test::ModelFile model;
  const std::vector<std::string> here{"--infra", "aws/us-east-1"};
  for (const auto& [job, flags, flag] :
       {Unmet{"demo/job.toml", {}, "--deadline 1m"},
        Unmet{"demo/job.toml", {}, "--budget 1"},
        Unmet{"demo/job.toml", {"--market", "spot", "--market", "on-demand"}, "--budget 1"},
        Unmet{"demo/job.toml", {"--confidence", "0.5"}, "--deadline 1m"},
        Unmet{"demo/job.toml", {"--allow", "^g4dn[.]xlarge$"}, "--deadline 10m"},
        Unmet{"service/job.toml", {}, "--budget 1"},
        Unmet{"llm/serve.toml", {}, "--budget 1"}}) {
    CAPTURE(job);
    CAPTURE(flag);
    auto all = here;
    all.insert(all.end(), flags.begin(), flags.end());
    const auto asked = advise(examples + job, with(all, flag), model.path());
    CHECK(asked.code == cli::exit_nothing_satisfies);
    CAPTURE(asked.warnings);
    const auto ways = named(asked);
    // The demo's job has a deadline of its own: a budget is named beside it.
    REQUIRE_FALSE(ways.empty());
    for (const auto& way : ways) {
      CAPTURE(way);
      const bool same =
          way.substr(0, way.find(' ')) == std::string(flag).substr(0, std::string(flag).find(' '));
      const auto followed = same ? with(all, way) : with(with(all, flag), way);
      CHECK(advise(examples + job, followed, model.path()).code == cli::exit_ok);
      const auto tighter = same ? with(all, less(way)) : with(with(all, flag), less(way));
      CHECK(advise(examples + job, tighter, model.path()).code == cli::exit_nothing_satisfies);
    }
  }
}

TEST_CASE("next limit: where neither limit alone can be met both are named together") {
  const test::ModelFile model;
  const std::vector<std::string> here{"--infra", "aws/us-east-1"};
  const auto asked =
      advise(examples + "demo/job.toml", with(here, "--deadline 1m --budget 1"), model.path());
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CAPTURE(asked.warnings);
  CHECK(asked.warnings.find("no offer meets the deadline and the budget with 90 % confidence") !=
        std::string::npos);
  const auto ways = named(asked);
  REQUIRE(ways.size() == 1);
  CHECK(ways.front().find("--deadline") != std::string::npos);
  CHECK(ways.front().find("--budget") != std::string::npos);
  CHECK(advise(examples + "demo/job.toml", with(here, ways.front()), model.path()).code ==
        cli::exit_ok);
}

TEST_CASE("next limit: waits for tokens are named by the flags that they were given with") {
  const test::ModelFile model;
  const std::vector<std::string> here{"--infra", "aws/us-east-1"};
  for (const auto& [given, expected] :
       {std::pair{"--ttft 2ms --tpot 1ms", "(--ttft [0-9.]+m?s --tpot [0-9.]+m?s) is within"},
        std::pair{"--tpot 1ms", "(--ttft [0-9.]+m?s --tpot [0-9.]+m?s) is within"},
        std::pair{"--slo ttft=2ms --tpot 1ms",
                  "(--slo ttft=[0-9.]+m?s --tpot [0-9.]+m?s) is within"},
        std::pair{"--slo ttft=2ms,tpot=1ms",
                  "(--slo ttft=[0-9.]+m?s,tpot=[0-9.]+m?s) is within"}}) {
    CAPTURE(given);
    const auto asked = advise(examples + "llm/serve.toml", with(here, given), model.path());
    CHECK(asked.code == cli::exit_nothing_satisfies);
    CAPTURE(asked.warnings);
    const auto flags = test::found(asked.warnings, expected);
    REQUIRE_FALSE(flags.empty());
    CHECK(advise(examples + "llm/serve.toml", with(here, flags), model.path()).code ==
          cli::exit_ok);
  }
}

TEST_CASE("next limit: a market without prices names the one there is, or what assumes them") {
  const test::ModelFile model;
  const std::vector<std::string> asked{
      "advise", examples + "demo/job.toml", "--model", model.path(), "--infra", "aws", "--market"};
  const auto refused = test::run(with(asked, "reserved-1y"));
  CHECK(refused.code == cli::exit_usage);
  CAPTURE(refused.err);
  const auto way = test::found(refused.err, "(--reserved-discount [0-9]+%)");
  REQUIRE_FALSE(way.empty());
  CHECK(test::run(with(asked, "reserved-1y " + way)).code == cli::exit_ok);
}

TEST_CASE("next limit: who asks for little confidence is told the limit that has it") {
  const test::ModelFile model;
  const std::vector<std::string> here{
      "--infra", "aws", "--allow", "^g5[.]xlarge$", "--confidence", "20%"};
  const auto job = examples + "demo/job.toml";
  const auto asked = advise(job, with(here, "--deadline 1h"), model.path());
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CAPTURE(asked.warnings);
  const auto limit = found(asked.warnings, "--deadline ([0-9.]+[smhd])");
  REQUIRE(!limit.empty());
  CHECK(advise(job, with(here, "--deadline " + limit), model.path()).code == cli::exit_ok);
}
