// Plans of several jobs: the machine they have in common, and flags that are of one job alone.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/fleet/fleet.h"
#include "advisor/report/fleet_text.h"
#include "support/approx.h"
#include "support/made_catalog.h"
#include "support/program.h"

using namespace rightsize;

namespace {

constexpr const char* columns =
    "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
    "MonthlyPrice,Currency,Arch,Book,AsOf,Source";

const std::string examples = RIGHTSIZE_SOURCE_DIR "/examples/";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The same job once to be had in time, and once whenever.
std::vector<Query> two_jobs() {
  auto urgent = test::imagenet_job();
  urgent.file = "urgent.toml";
  auto idle = urgent;
  idle.file = "idle.toml";
  return {urgent, idle};
}

}  // namespace

TEST_CASE("plan: what every job takes is the best for each, whatever else is cheaper") {
  const auto world =
      test::knowledge_of(columns,
                         "acme,fast,64,256,V100,8,here,60.00,,USD,x86_64,current,2026-01-01,test\n"
                         "acme,cheap,16,64,V100,1,here,1.00,,USD,x86_64,current,2026-01-01,test\n");
  auto jobs = two_jobs();
  for (auto& job : jobs) {
    job.objective = parse_objective("time", "objective");
  }
  const auto fleet = plan_fleet(jobs, world.evidence());
  REQUIRE(fleet.answers.front().chosen);
  REQUIRE(fleet.answers.front().chosen->instance == "fast");
  CHECK(holds(report::fleet_markdown(fleet), "acme/fast is the best for each of them."));
}

TEST_CASE("plan: the common machine is the best by the jobs' objective, and its hours are said") {
  const auto world = test::knowledge_of(
      columns,
      "acme,tiny,16,64,V100,8,here,70.00,,USD,x86_64,current,2026-01-01,test\n"
      "acme,fast,64,256,V100,8,here,60.00,,USD,x86_64,current,2026-01-01,test\n"
      "acme,cheap,64,256,V100,1,here,1.00,,USD,x86_64,current,2026-01-01,test\n");
  auto jobs = two_jobs();
  for (auto& job : jobs) {
    job.objective = parse_objective("time", "objective");
  }
  jobs[0].deny = "^fast";  // so that the two take different machines
  const auto fleet = plan_fleet(jobs, world.evidence());
  REQUIRE(fleet.common);
  CHECK(fleet.common->instance == "tiny");
  CHECK(holds(report::fleet_markdown(fleet), " machine-hours."));
}

TEST_CASE("plan: jobs that share months on the common machine are told what that comes to") {
  const auto world =
      test::knowledge_of(columns,
                         "acme,month,16,64,V100,1,here,,900,USD,x86_64,current,2026-01-01,test\n"
                         "acme,hour,16,64,V100,1,here,1.00,,USD,x86_64,current,2026-01-01,test\n");
  auto jobs = two_jobs();
  jobs[0].deny = "^hour";  // the other need not rent by the month
  const auto fleet = plan_fleet(jobs, world.evidence());
  REQUIRE(fleet.common);
  CHECK(fleet.common->by_month);
  REQUIRE(fleet.common->shared_cost);
  CHECK(*fleet.common->shared_cost == test::approx(fleet.common->total.cost.value / 2));
  const auto text = report::fleet_markdown(fleet);
  CHECK(holds(text, "One kind of machine for all, rented in one way: acme/month [month]"));
  CHECK(holds(text, "Each job is billed whole months there: those that run one after the other"));
  CHECK(to_json(fleet).at("common_machine").at("by_month").as_bool());
}

TEST_CASE("plan: what is the user's own stays among the options, wherever it ranks") {
  const auto result = test::run_without_model(
      {"advise",
       examples + "demo/job.toml",
       examples + "fleet/googlenet.toml",
       "--deadline",
       "400h",
       "--on-prem",
       "gpu=T4:1,price=90000USD,years=2,power=3kW,kwh=0.15,vcpus=32,memory=128GiB,disk=1000GiB",
       "-o",
       "json"});
  CAPTURE(result.err);
  const auto document = boost::json::parse(result.out);
  for (const auto& answer : document.at("answers").as_array()) {
    const auto& options = answer.at("options").as_array();
    CHECK(std::any_of(options.begin(), options.end(), [](const boost::json::value& option) {
      return option.at("own").as_bool() && option.at("instance") == "own 1x T4";
    }));
  }
}

TEST_CASE("plan: flags that are of one job are refused, and those that do nothing are told") {
  const std::vector<std::string> plan{
      "advise", examples + "fleet/googlenet.toml", examples + "fleet/vgg16.toml"};
  const auto with = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), plan.begin(), plan.end());
    return test::run_without_model(flags);
  };
  for (const auto& flags :
       std::vector<std::vector<std::string>>{{"--chart"}, {"--max-results", "3"}}) {
    const auto refused = with(flags);
    CHECK(refused.code == cli::exit_usage);
    CHECK(holds(refused.err, flags.front() + " is about one job"));
  }
  const auto idle = with({"--utilisation", "50%"});
  CHECK(idle.code == cli::exit_ok);
  CHECK(holds(idle.err, "--utilisation changes nothing here"));
}

TEST_CASE("plan: the common machine is named so that explain reads it") {
  const auto result = test::run_without_model({"advise",
                                               examples + "fleet/googlenet.toml",
                                               examples + "fleet/vgg16.toml",
                                               "--market",
                                               "reserved-1y",
                                               "--infra",
                                               "gcp"});
  CAPTURE(result.err);
  CHECK(holds(result.out, " [1y]"));
  CHECK_FALSE(holds(result.out, "[reserved-1y]"));
}

TEST_CASE("plan: what the jobs' own answers warn of is warned of, once of those that share it") {
  const auto world =
      test::knowledge_of(columns, "acme,fast,64,256,V100,8,here,60.00,,USD,x86_64,current,,test\n");
  const auto jobs = two_jobs();
  const auto fleet = plan_fleet(jobs, world.evidence());
  REQUIRE(fleet.total);
  CHECK(holds(report::fleet_text(fleet, report::Style{}),
              "warning: all: the chosen price carries no date: check it before you rent\n"));
  CHECK(holds(report::fleet_markdown(fleet), "- warning: all: the chosen price carries no date"));
}
