// Two instances side by side: the ratios, and the crossings against closed forms.
#include "advisor/explain/comparison.h"

#include <cmath>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/full_name.h"
#include "advisor/judge/near_ties.h"
#include "advisor/knowledge.h"
#include "advisor/made_option.h"
#include "advisor/report/comparison_text.h"
#include "support/approx.h"
#include "support/golden_text.h"
#include "support/made_catalog.h"
#include "support/made_model.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

Query imagenet() {
  Query query;
  query.precision = Precision::fp16;
  query.batches = {128};
  query.items = 1281167;
  query.epochs = 90;
  query.format = DataFormat::synthetic;  // no disk: nothing moves but the machine's price
  return query;
}

Option made_job(const char* instance, double rate, double hours, double cost) {
  auto option = test::made_option(instance, "L40S", 16, 128);
  option.disk = "gp3 151 GiB";
  option.batch_per_gpu = 128;
  option.throughput = {rate, rate / 1.1, rate * 1.1, 0.9, "items/s", Source::scaled};
  option.hours = {hours, hours / 1.1, hours * 1.1, 0.9, "h", Source::scaled};
  option.cost = {cost, cost / 1.1, cost * 1.1, 0.9, "USD", Source::scaled};
  option.price_per_hour = Money::parse("3.00", "USD");
  option.busy = {0.2, 0.9, 0.5, 0.1, 1.0};
  return option;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("flip: finds each change of an outcome, and none where there is none") {
  const auto outcome = [](double x) { return x < 2 ? "a" : x < 50 ? "b" : "c"; };
  const auto flips = find_flips(0.01, 1000, 16, outcome);
  REQUIRE(flips.size() == 2);
  CHECK(flips[0].at == test::approx(2).epsilon(2e-4));
  CHECK(flips[0].below == "a");
  CHECK(flips[1].at == test::approx(50).epsilon(2e-4));
  CHECK(flips[1].above == "c");
  CHECK(find_flips(3, 40, 16, outcome).empty());
  CHECK(find_flips(0.01, 1000, 1, outcome).size() == 2);  // both within one step
  // A change and its undoing 3 % from now are seen from there, and not in coarse steps.
  const auto narrow = [](double x) { return std::string(x >= 103 && x < 110 ? "b" : "a"); };
  CHECK(find_flips(5, 2000, 6, narrow).empty());
  const auto near = find_flips_around(100, 20, narrow);
  REQUIRE(near.size() == 2);
  CHECK(near[0].at == test::approx(103).epsilon(1e-3));
  CHECK(near[1].at == test::approx(110).epsilon(1e-3));
}

TEST_CASE("compare: the price at which the better one changes is where the costs are equal") {
  const auto world = knowledge_with(test::made_model());
  const auto result = compare(imagenet(), world.evidence(), "aws/g6e.xlarge", "aws/p5.4xlarge");
  const auto& a = result.sides[0].option;
  const auto& b = result.sides[1].option;
  CHECK(result.ratios.cost.value == test::approx(b.cost.value / a.cost.value));
  REQUIRE(result.price_flips.size() == 2);
  // Without a disk the bill is hours x price (per second): equal where price x hours is. As the
  // faster is taken for up to 1 % more, the slower is the better where it costs so much less.
  CHECK(result.price_flips[0].price_per_hour ==
        test::approx((1 - same_cost) * b.cost.value / a.hours.value).epsilon(1e-3));
  CHECK(result.price_flips[1].price_per_hour ==
        test::approx(a.cost.value / (1 - same_cost) / b.hours.value).epsilon(1e-3));
}

TEST_CASE("compare: where one of the two cannot do the job, what is said names the other") {
  const auto world = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Currency,Arch,Book,AsOf,Source",
      "acme,k.old,8,64,K80,1,here,0.50,USD,x86_64,current,2026-01-01,test\n"
      "acme,h.new,8,512,H100,1,here,5,USD,x86_64,current,2026-01-01,test\n");
  auto query = test::imagenet_job();
  query.batches = {512};
  const auto said = [&](const char* first, const char* second) -> std::string {
    try {
      static_cast<void>(compare(query, world.evidence(), first, second));
      return "";
    } catch (const NothingSatisfies& nothing) {
      return nothing.what();
    }
  };
  for (const auto& text : {said("k.old", "h.new"), said("h.new", "k.old")}) {
    CAPTURE(text);
    CHECK(text.starts_with("k.old cannot do this job: GPU memory"));
    CHECK(text.ends_with("; acme/h.new can, and meets the constraints"));
  }
}

TEST_CASE("compare: a deadline flips where the cheaper one meets it with the wanted confidence") {
  const auto world = knowledge_with(test::made_model());
  auto query = imagenet();
  query.deadline_s = 1e9;
  const auto result = compare(query, world.evidence(), "aws/g6e.xlarge", "aws/p5.4xlarge");
  const auto& cheaper = result.sides[result.better].option;
  REQUIRE_FALSE(result.deadline_flips.empty());
  const double z90 = 1.2815515655;  // the one-sided 90 % quantile of the normal
  CHECK(result.deadline_flips.back().at ==
        test::approx(cheaper.hours.value * std::exp(z90 * cheaper.cost_log_sd)).epsilon(1e-3));
  CHECK(result.deadline_flips.back().above == full_name(cheaper));
  CHECK(result.deadline_flips.front().below.empty());
}

TEST_CASE("compare: an instance with itself is exactly itself") {
  const auto world = knowledge_with(test::made_model());
  const auto result = compare(imagenet(), world.evidence(), "aws/g6e.xlarge", "aws/g6e.xlarge");
  CHECK(result.ratios.cost.value == test::approx(1));
  // What both share cancels: only each run's own noise is left.
  CHECK(result.ratios.cost.high <
        result.sides[0].option.cost.high / result.sides[0].option.cost.low);
  CHECK(result.p_first_cheaper == test::approx(0.5));
  CHECK(contains(report::comparison_text(result, {}), "cannot be told apart from"));
}

TEST_CASE("compare: the better one is so by the objective, and the words say by which") {
  const auto world = knowledge_with(test::made_model());
  auto query = imagenet();
  query.objective = {0, 1};
  const auto by_time = compare(query, world.evidence(), "aws/g6e.xlarge", "aws/p5.4xlarge");
  CHECK(by_time.better == 1);  // the H100
  REQUIRE(by_time.p_first_better);
  CHECK(*by_time.p_first_better < 0.5);
  CHECK(by_time.p_first_cheaper > 0.5);
  CHECK(contains(report::comparison_text(by_time, {}), "faster than aws/g6e.xlarge"));
  // Hours and cost err by one factor, so a weighted mean of them errs by it too.
  query.objective = {0.25, 0.75};
  const auto by_both = compare(query, world.evidence(), "aws/g6e.xlarge", "aws/p5.4xlarge");
  REQUIRE(by_both.p_first_better);
  const auto& ratios = by_both.ratios;
  const double z =
      (std::log(ratios.cost.value) + 3 * std::log(ratios.hours.value)) / 4 / ratios.log_sd;
  CHECK(*by_both.p_first_better ==
        test::approx(0.5 * std::erfc(-z / std::sqrt(2.0))).epsilon(1e-3));
  CHECK(contains(report::comparison_text(by_both, {}), "better by cost*0.25+time*0.75 than"));
}

TEST_CASE("compare: names are checked, and what cannot do the job says why") {
  const auto world = knowledge_with(test::made_model());
  const auto fails = [&](const std::string& name, const std::string& part, const Query& query) {
    try {
      static_cast<void>(compare(query, world.evidence(), name, "aws/g6e.xlarge"));
      FAIL("expected an error");
    } catch (const UsageError& error) {
      CHECK(contains(error.what(), part));
    }
  };
  fails("g6e.xlarg", "did you mean \"g6e.xlarge\"?", imagenet());
  fails("aws/g6e.xlarg", "did you mean \"aws/g6e.xlarge\"?", imagenet());
  auto elsewhere = imagenet();
  elsewhere.infra = {"gcp"};
  fails("g6e.xlarge", "is not sold in the place", elsewhere);
  auto huge = imagenet();
  huge.batches = {1 << 20};
  fails("g6e.xlarge", "cannot do this job: GPU memory too small", huge);
}

TEST_CASE("compare: golden text and Markdown") {
  Comparison made;
  made.sides[0].option = made_job("g6e.4xlarge", 1430, 22.4, 67.3);
  made.sides[1].option = made_job("p5.4xlarge", 2030, 15.8, 109.7);
  made.sides[1].option.limited_by = Bound::cpu;
  made.sides[1].option.busy = {0.3, 1.0, 0.7, 0.1, 0.61};
  made.ratios.throughput = {1.42, 1.29, 1.57, 0.9, "1", Source::scaled};
  made.ratios.hours = {0.705, 0.637, 0.775, 0.9, "1", Source::scaled};
  made.ratios.cost = {1.63, 1.48, 1.80, 0.9, "1", Source::scaled};
  made.p_first_cheaper = 0.998;
  made.p_first_better = 0.998;
  made.deadline_flips = {{17.1, "", "aws/p5.4xlarge"}, {24.1, "aws/p5.4xlarge", "aws/g6e.4xlarge"}};
  made.at_any_deadline = "aws/g6e.4xlarge";
  made.price_flips = {{0, 4.897, "USD"}, {1, 4.259, "USD"}};
  const auto text = report::comparison_text(made, {});
  CHECK(text == test::golden("compare.txt", text));
  const auto markdown = report::comparison_markdown(made);
  CHECK(markdown == test::golden("compare.md", markdown));
  CHECK(contains(report::comparison_data(made).csv(), "cost,USD,67.3,"));
}
