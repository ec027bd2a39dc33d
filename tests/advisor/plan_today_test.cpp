// Plans by the month: services beside jobs that say how often they run, and what all of them cost
// on the machines of today.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/fleet/fleet.h"
#include "advisor/report/fleet_table.h"
#include "advisor/report/fleet_text.h"
#include "right_sizing_world.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::approx;

namespace {

const std::string examples = RIGHTSIZE_SOURCE_DIR "/examples/";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A machine that is worth its money, and one that is dearer and no better.
Knowledge two_machines() {
  return test::world_of(test::row("acme", "good", 16, 64, "V100", "1.00") +
                        test::row("acme", "dear", 16, 64, "V100", "3.00"));
}

Query job_on(const std::string& current, std::optional<double> runs) {
  auto query = test::imagenet_job();
  query.file = "on-" + current + ".toml";
  query.current = current;
  query.runs_per_month = runs;
  return query;
}

// What is refused of a job file that says so of today.
std::string refused(const std::string& line) {
  const TemporaryFolder folder;
  const auto file = folder.write("job.toml",
                                 "[job]\nnetwork = \"resnet50\"\n" + line +
                                     "\n[data]\nitems = 1000\nformat = \"synthetic\"\n");
  const auto result = test::run_without_model({"advise", file});
  CHECK(result.code == cli::exit_usage);
  return result.err;
}

}  // namespace

TEST_CASE("plan: jobs that say how often they run are summed by the month") {
  const auto world = two_machines();
  const auto once = plan_fleet({job_on("", std::nullopt), job_on("", 4)}, world.evidence());
  CHECK_FALSE(once.by_month);
  const auto fleet = plan_fleet({job_on("", 10), job_on("", 4)}, world.evidence());
  CHECK(fleet.by_month);
  REQUIRE(fleet.total);
  CHECK(fleet.total->cost.value == approx(7 * once.total->cost.value));
  CHECK(fleet.total->bills.at("USD").approximate() ==
        approx(7 * once.total->bills.at("USD").approximate()));
  CHECK(holds(report::fleet_text(fleet, report::Style{}), " a month."));
  CHECK(holds(report::fleet_table(fleet).markdown(), "10 x "));
}

TEST_CASE("plan: what jobs cost where they run today stands beside what the plan costs") {
  const auto world = two_machines();
  const auto fleet =
      plan_fleet({job_on("dear", 10), job_on("good", 4), job_on("", 1)}, world.evidence());
  REQUIRE(fleet.today);
  CHECK(fleet.today->jobs == 2);
  CHECK(fleet.today->moves == 1);
  CHECK(fleet.today->unsaid == 1);
  // 10 runs at three times the machine's price: its disk costs the same on both
  CHECK(fleet.today->now.cost.value > 2 * fleet.today->planned.cost.value);
  const double all = fleet.total->cost.value;
  CHECK(fleet.today->planned.cost.value == approx(all * 14 / 15));
  const auto text = report::fleet_markdown(fleet);
  CHECK(holds(text, "1 moved or cut; of 1 it is not said what they run on"));
  CHECK(holds(text, "| dear | move |"));
  CHECK(holds(text, "| good | stay |"));
  CHECK(holds(report::fleet_data(fleet).csv(), ",times,plan_cost,today,advice,cost_today"));
  const auto document = to_json(fleet);
  CHECK(document.at("by_month").as_bool());
  CHECK(document.at("today").at("moves").to_number<int>() == 1);
}

TEST_CASE("plan: where a job stays the plan has that machine, and not the first of its ranking") {
  const auto world = test::world_of(test::row("acme", "one", 16, 64, "V100", "1.00") +
                                    test::row("other", "two", 16, 64, "V100", "1.01"));
  const auto fleet = plan_fleet({job_on("two", 1), job_on("two", 1)}, world.evidence());
  REQUIRE(fleet.answers.front().chosen->instance == "one");
  REQUIRE(fleet.today);
  CHECK(fleet.today->moves == 0);
  CHECK(report::fleet_names(fleet) == "other/two\nother/two\n");
  CHECK(fleet.total->cost.value == approx(fleet.today->now.cost.value));
}

TEST_CASE("plan: a machine of today that cannot do its job is told, and is in neither sum") {
  const auto world = test::world_of(test::row("acme", "good", 16, 64, "V100", "1.00") +
                                    test::row("acme", "small", 16, 1, "V100", "0.50"));
  const auto fleet = plan_fleet({job_on("small", 2), job_on("good", 2)}, world.evidence());
  REQUIRE(fleet.today);
  CHECK(fleet.today->unable == 1);
  CHECK(fleet.today->jobs == 1);
  CHECK(holds(report::fleet_markdown(fleet), "| small | move |"));
}

TEST_CASE("plan: jobs on a machine that is rented by the month pay its months once") {
  const auto world = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "MonthlyPrice,Currency,Arch,Book,AsOf,Source",
      "acme,month,16,64,V100,1,here,,900,USD,x86_64,current,2026-01-01,test\n");
  const auto alone = plan_fleet({job_on("", 3)}, world.evidence());
  const auto fleet = plan_fleet({job_on("", 3), job_on("", 3)}, world.evidence());
  REQUIRE(alone.total);
  REQUIRE(fleet.total);
  REQUIRE(fleet.shared.size() == 1);
  CHECK(alone.shared.empty());
  CHECK(fleet.shared.front().jobs == 2);
  CHECK(fleet.shared.front().machines == 1);
  CHECK(fleet.shared.front().saved == approx(900));
  CHECK(fleet.total->cost.value == approx(2 * alone.total->cost.value - 900));
  CHECK(fleet.total->bills.at("USD").approximate() == approx(fleet.total->cost.value));
  REQUIRE(fleet.common);
  CHECK(fleet.common->total.cost.value == approx(fleet.total->cost.value));
  CHECK(holds(report::fleet_markdown(fleet), "each row bears its months alone, the sum $900.00"));
}

TEST_CASE("plan: no machine of one's own works more hours than a month has") {
  const auto photos = examples + "fleet/photos.toml";
  const auto result = test::run_without_model(
      {"advise",
       photos,
       photos,
       "--runs-per-month",
       "250",
       "--on-prem",
       "gpu=RTX-4090:1,price=4500USD,years=3,power=0.7kW,kwh=0.30,vcpus=16,memory=64GiB,"
       "disk=2000GiB,count=1"});
  CAPTURE(result.out);
  CHECK(result.code == cli::exit_nothing_satisfies);
  CHECK(holds(result.out, "No plan: more is asked of machines of your own than there are."));
  CHECK(holds(result.out, "which takes 2 of it, and there"));
}

TEST_CASE("plan: services stand beside jobs that say how often they run") {
  const std::vector<std::string> plan{
      "advise", examples + "service/job.toml", examples + "demo/job.toml"};
  const auto refused = test::run_without_model(plan);
  CHECK(refused.code == cli::exit_usage);
  CHECK(holds(refused.err, "does not say how often it is run: runs_per_month"));

  auto monthly = plan;
  monthly.insert(monthly.end(),
                 {"--runs-per-month", "4", "--infra", "aws/us-east-1", "-o", "json"});
  const auto result = test::run_without_model(monthly);
  CAPTURE(result.err);
  const auto document = boost::json::parse(result.out);
  const auto cost_of = [&](std::size_t job) {
    return document.at("answers").at(job).at("chosen").at("cost").at("value").to_number<double>();
  };
  CHECK(document.at("by_month").as_bool());
  CHECK(document.at("total").at("cost").at("value").to_number<double>() ==
        approx(cost_of(0) + 4 * cost_of(1)));
}

TEST_CASE("plan: what was signed for is said to be paid where its job leaves it") {
  const auto world = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Reserved1yPrice,Currency,Arch,Book,AsOf,Source",
      "acme,dear,16,64,V100,1,here,4.00,3.00,USD,x86_64,current,2026-01-01,test\n"
      "acme,good,16,64,V100,1,here,1.00,,USD,x86_64,current,2026-01-01,test\n");
  const auto signed_for = plan_fleet({job_on("dear [1y]", 3), job_on("good", 3)}, world.evidence());
  CHECK(holds(report::fleet_markdown(signed_for), "of machines that were signed for, and paid"));
  const auto on_demand = plan_fleet({job_on("dear", 3), job_on("good", 3)}, world.evidence());
  CHECK_FALSE(holds(report::fleet_markdown(on_demand), "signed for"));
}

TEST_CASE("plan: report makes a page and rows of several job files") {
  const TemporaryFolder folder;
  const auto result = test::run_without_model({"report",
                                               examples + "fleet/photos.toml",
                                               examples + "fleet/api.toml",
                                               "--html",
                                               folder / "plan.html",
                                               "--csv",
                                               folder / "plan.csv"});
  CHECK_MESSAGE(result.code == cli::exit_ok, result.err);
  CHECK(holds(result.err, "1 service and 1 job: ~$"));
  const auto page = folder.read("plan.html");
  CHECK(holds(page, "<title>A plan of 1 service and 1 job"));
  CHECK(holds(page, "Today they cost ~$"));
  CHECK(holds(page, "rightsize/fleet/1"));
  CHECK(holds(page, "Itemised bill of ResNet-50 on new photos: aws/g"));
  CHECK(holds(page, ", each of 12 runs a month"));
  CHECK(holds(page, "Itemised bill of ResNet-50 behind an API: aws/g"));
  CHECK(holds(folder.read("plan.csv"), ",4 x g4dn.xlarge,"));
  const auto mixed =
      test::run_without_model({"report", examples + "fleet/photos.toml", folder / "answer.json"});
  CHECK(mixed.code == cli::exit_usage);
  CHECK(holds(mixed.err, "photos.toml: expected a saved answer (*.json) beside the others"));
}

TEST_CASE("job files: how often and on what today are read, and refused by their place") {
  CHECK(holds(refused("runs_per_month = 0"),
              "job.toml:3:18: runs_per_month = 0: expected runs a "
              "month from 0.01"));
  CHECK(holds(refused("current = 3"), "current = 3: expected a machine in quotes"));
  CHECK(holds(refused("current = \"no.such\""), "no.such"));
  CHECK(holds(refused("current = \"2 x g5.xlarge\""),
              "job.toml:3:11: job.current 2 x g5.xlarge: a number of machines is a service's"));
  CHECK(holds(refused("curent = \"g5.xlarge\""), "did you mean \"current\"?"));
}
