// One machine that is sold by the month and by the hour is two offers under one name: each is
// named, kept and judged for itself.
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/explain/comparison.h"
#include "advisor/explain/explanation.h"
#include "advisor/full_name.h"
#include "advisor/right_sizing_world.h"
#include "advisor/suppose/what_if.h"
#include "support/program.h"

using namespace rightsize;

namespace {

constexpr const char* columns =
    "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
    "MonthlyPrice,SpotPrice,Currency,Arch,Book,AsOf,Source";

// Of v.both a month costs 400; ten epochs of ImageNet take it some hours.
Knowledge rented(const char* hour = "3.00") {
  return test::knowledge_of(
      columns,
      std::string("acme,v.both,16,64,V100,1,here,") + hour +
          ",400,,USD,x86_64,current,2026-01-01,test\n"
          "acme,v.dear,16,64,V100,1,here,900.00,,,USD,x86_64,current,2026-01-01,test\n"
          "acme,v.month,16,64,V100,1,here,,900,,USD,x86_64,current,2026-01-01,test\n");
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("month and hour: both are options, each by its own name") {
  const auto world = rented();
  const auto answer = search(test::imagenet_job(), world.evidence());
  std::vector<std::string> names;
  for (const auto& option : answer.options) {
    names.push_back(full_name(option));
  }
  CHECK(std::count(names.begin(), names.end(), "acme/v.both") == 1);
  CHECK(std::count(names.begin(), names.end(), "acme/v.both [month]") == 1);
  CHECK(std::count(names.begin(), names.end(), "acme/v.month [month]") == 1);
  CHECK(full_name(*answer.chosen) == "acme/v.both");
}

TEST_CASE("month and hour: what one loses at another price, the other may win") {
  const auto world = rented("300.00");  // a day by the hour is dearer than the month
  const auto query = test::imagenet_job();
  const auto supposed =
      what_if(query, world.evidence(), "v.both [month]", parse_supposition({"price=2000"}));
  CHECK(supposed.chosen_now == "acme/v.both [month]");
  const auto really = test::knowledge_of(
      columns,
      "acme,v.both,16,64,V100,1,here,300.00,2000,,USD,x86_64,current,2026-01-01,test\n"
      "acme,v.dear,16,64,V100,1,here,900.00,,,USD,x86_64,current,2026-01-01,test\n"
      "acme,v.month,16,64,V100,1,here,,900,,USD,x86_64,current,2026-01-01,test\n");
  CHECK(supposed.chosen_supposed == full_name(*search(query, really.evidence()).chosen));
  const auto hour =
      what_if(query, world.evidence(), "v.both [on-demand]", parse_supposition({"price=0.01"}));
  CHECK(hour.chosen_supposed == "acme/v.both");
  CHECK(hour.now->price_per_hour == Money::parse("300", "USD"));
  const auto explained = explain(query, world.evidence(), "v.both [month]");
  REQUIRE_FALSE(explained.sensitivities.front().flips.empty());
  CHECK(explained.sensitivities.front().flips.back().below == "acme/v.both [month]");
  CHECK(explained.sensitivities.front().flips.back().at < 901);
}

TEST_CASE("month and hour: one machine is compared with itself, and flips say which") {
  const auto world = rented();
  const auto result =
      compare(test::imagenet_job(), world.evidence(), "v.both [month]", "v.both [on-demand]");
  CHECK(side_names(result)[0] == "acme/v.both [month]");
  CHECK(side_names(result)[1] == "acme/v.both");
  CHECK(result.better == 1);
}

TEST_CASE("month and hour: the label is read back, and what is not sold so says how it is") {
  const auto world = rented();
  const auto read = [&](const char* text) { return read_offer_name(world.catalog, text, ""); };
  CHECK(read("v.both [Month]").by_month == true);
  CHECK(read("v.both [on-demand]").by_month == false);
  CHECK_FALSE(read("v.both").by_month);
  CHECK(read("v.both [reserved-1y]").market == Market::reserved_1y);  // as --market has it
  for (const auto* text : {"acme/v.both [month]", "acme/here/v.both [on-demand]"}) {
    CHECK(typed(read(text)) == text);
  }
  const auto refused = [&](const char* name, const char* why) {
    CHECK_THROWS_WITH_AS(static_cast<void>(explain(test::imagenet_job(), world.evidence(), name)),
                         doctest::Contains(why),
                         UsageError);
  };
  refused("v.dear [month]", "in book current it is sold on-demand");
  refused("v.month [on-demand]", "in book current it is sold by the month");
}

TEST_CASE("month and hour: today's machine is the one that --current says") {
  const auto world = rented();
  const auto today = [&](const char* current) {
    return full_name(*test::judged(world, test::imagenet_job(), current).current->current);
  };
  CHECK(today("v.both [month]") == "acme/v.both [month]");
  CHECK(today("v.both [on-demand]") == "acme/v.both");
  CHECK(today("v.month") == "acme/v.month [month]");
}

TEST_CASE("month and hour: tables tell them apart, and print a month's price as one") {
  const TemporaryFolder folder;
  const auto book = folder.write(
      "book.csv",
      std::string(columns) +
          "\naws,g6e.2xlarge,8,64,L40S,1,us-east-1,1.861,450,,USD,x86_64,mine,2026-11-01,test\n");
  const auto shown = test::run_without_model(
      {"advise", RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml", "--prices", book, "-o", "wide"});
  CAPTURE(shown.err);
  CHECK(holds(shown.out, "g6e.2xlarge [month]"));
  CHECK(holds(shown.out, "450.00 USD a month"));
  CHECK(holds(shown.out, "1.861 USD"));
  const auto star = shown.out.find("\n*");
  REQUIRE(star != std::string::npos);
  CHECK(shown.out.find("\n*", star + 1) == std::string::npos);  // one is chosen
}
