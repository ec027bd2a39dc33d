// Spot machines and services in the search, against arithmetic by hand and brute force.
#include <cmath>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/knowledge.h"
#include "advisor/search.h"
#include "models/laws/spot.h"
#include "support/approx.h"
#include "support/made_catalog.h"

using namespace rightsize;

namespace {

Knowledge world_of(const std::string& rows) {
  return test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "SpotPrice,Currency,Arch,Book,AsOf,Source",
      rows);
}

std::string row(const char* name, const char* gpu, int gpus, const char* price, const char* spot) {
  return fmt::format("acme,{},32,128,{},{},here,{},{},USD,x86_64,current,2026-01-01,test\n",
                     name,
                     gpu,
                     gpus,
                     price,
                     spot);
}

Query training(Market market) {
  Query query;
  query.precision = Precision::fp16;
  query.batches = {128};
  query.items = 1281167;
  query.epochs = 90;
  query.format = DataFormat::synthetic;
  query.markets = {market};
  return query;
}

}  // namespace

TEST_CASE("spot: hours are those of the law of interruptions, and the bill follows") {
  const auto world = world_of(row("v.one", "V100", 1, "3.00", "1.00"));
  const auto steady = search(training(Market::on_demand), world.evidence()).options.at(0);
  auto query = training(Market::spot);
  query.interruptions = {0.05, 60.0, 600, {}, true, false, true};
  const auto spot = search(query, world.evidence()).options.at(0);
  const auto expected = spot_time({0.05, 60, 600, 0, 0}, steady.hours.value);
  CHECK(spot.hours.value == test::approx(expected.mean_h));
  CHECK(spot.hours.value > steady.hours.value * 1.02);
  CHECK(spot.cost.value == test::approx(expected.mean_h * 1.00).epsilon(1e-4));
  // The interval also holds the luck of the draw.
  CHECK(spot.hours.high / spot.hours.low > steady.hours.high / steady.hours.low);
  query.interruptions = {0, 1.0, 0, {}, true};
  const auto calm = search(query, world.evidence()).options.at(0);
  CHECK(calm.hours.value == test::approx(steady.hours.value).epsilon(0.01));
}

TEST_CASE("spot: interruptions can turn the answer to on-demand machines") {
  const auto world = world_of(row("v.one", "V100", 1, "1.10", "1.00"));
  auto query = training(Market::spot);
  query.markets = {Market::on_demand, Market::spot};
  query.interruptions = {0, 1.0, 0, {}, true};
  CHECK(search(query, world.evidence()).chosen->market == Market::spot);
  query.interruptions = {1.0, 120.0, 900, {}, true};
  CHECK(search(query, world.evidence()).chosen->market == Market::on_demand);
}

TEST_CASE("service: the search takes the cheapest fleet of all that answer in time") {
  const auto world =
      world_of(row("v.one", "V100", 1, "2.00", "") + row("v.eight", "V100", 8, "17.00", "") +
               row("t.one", "T4", 1, "0.50", ""));
  Query query;
  query.phase = Phase::infer;
  query.precision = Precision::fp16;
  query.batches = {8, 32};
  query.items = 1;
  query.format = DataFormat::synthetic;
  query.service = Service{2000, 0.1, 0, 1, std::nullopt};
  const auto answer = search(query, world.evidence());
  REQUIRE(answer.chosen);
  for (const auto& option : answer.options) {
    CAPTURE(option.instance);
    REQUIRE(option.service);
    CHECK(option.cost.value >= answer.chosen->cost.value);
    CHECK(option.service->point.p99_s <= 0.1);
    CHECK(option.p_deadline >= 0.9 - 1e-6);
    // By hand: machines x 730 h x price, and its share of a thousand requests.
    const double month = option.nodes * 730 * option.price_per_hour.approximate();
    CHECK(option.cost.value == test::approx(month));
    CHECK(option.cost_per_1k_requests == test::approx(month / (2000 * 730 * 3600.0) * 1000));
    Money total(0, "USD");
    for (const auto& line : option.bill.lines) {
      total += line.amount;
    }
    CHECK(total.approximate() == test::approx(month));
  }
  query.service->p99_s = 1e-5;
  CHECK_FALSE(search(query, world.evidence()).chosen);  // no GPU answers in ten microseconds
}

TEST_CASE("search: the user's own machine has a row wherever it ranks") {
  auto world = world_of(row("v.one", "V100", 1, "1.00", "") + row("v.two", "V100", 1, "2.00", "") +
                        row("v.three", "V100", 1, "3.00", ""));
  Offer mine = world.catalog.offers().front();
  mine.provider = "on-prem";
  mine.instance = "own V100";
  mine.book = "own";
  mine.price_per_hour = Money::parse("50", "USD");
  world.catalog.add(mine);
  auto query = training(Market::on_demand);
  query.book = "current,own";
  SearchOptions options;
  options.max_options = 2;
  const auto answer = search(query, world.evidence(), options);
  REQUIRE(answer.options.size() == 3);
  CHECK(answer.options[1].instance == "v.two");
  CHECK(answer.options[2].own);
  CHECK(answer.options[2].rank == 4);
}
