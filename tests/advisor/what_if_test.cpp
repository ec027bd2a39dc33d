// What-if against a search over a catalogue in which the supposition is true.
#include "advisor/suppose/what_if.h"

#include <algorithm>
#include <set>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/knowledge.h"
#include "advisor/option_order.h"
#include "advisor/report/table_notes.h"
#include "advisor/report/what_if_text.h"
#include "support/approx.h"
#include "support/made_catalog.h"

using namespace rightsize;

namespace {

constexpr const char* header =
    "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,Currency,"
    "Arch,Book,AsOf,Source";

std::string row(const char* name, int vcpus, const char* price) {
  return fmt::format(
      "acme,{},{},64,V100,1,here,{},USD,x86_64,current,2026-01-01,test\n", name, vcpus, price);
}

Knowledge world_of(const std::string& rows) {
  return test::knowledge_of(header, rows);
}

Query job() {
  return test::imagenet_job();
}

WhatIf asked(const Knowledge& knowledge, const char* instance, const char* word) {
  return what_if(job(), knowledge.evidence(), instance, parse_supposition({word}));
}

double cost_in(const Knowledge& knowledge, const std::string& instance) {
  for (const auto& option : search(job(), knowledge.evidence()).options) {
    if (option.instance == instance) {
      return option.cost.value;
    }
  }
  FAIL("not an option");
  return 0;
}

}  // namespace

TEST_CASE("what-if: an amount that cannot be is named") {
  const auto world = world_of(row("v.small", 4, "1.00"));
  CHECK_THROWS_WITH_AS(
      asked(world, "v.small", "vcpus=-9"), doctest::Contains("above 0"), UsageError);
  CHECK_THROWS_WITH_AS(
      asked(world, "v.small", "batch=x0.3"), doctest::Contains("batch"), UsageError);
}

TEST_CASE("what-if: agrees with a search over tables in which it is true") {
  const auto world = world_of(row("v.small", 2, "1.00") + row("w.large", 16, "1.60"));
  SUBCASE("price") {
    const auto result = asked(world, "w.large", "price=-50%");
    const auto truth = world_of(row("v.small", 2, "1.00") + row("w.large", 16, "0.80"));
    REQUIRE(result.supposed);
    CHECK(result.supposed->cost.value == test::approx(cost_in(truth, "w.large")));
    CHECK(result.chosen_supposed == "acme/" + search(job(), truth.evidence()).chosen->instance);
    CHECK(result.ratios.throughput.low == test::approx(1));  // all errors are shared
    CHECK(result.ratios.throughput.high == test::approx(1));
  }
  SUBCASE("vCPUs at a stated price") {
    const auto result =
        what_if(job(), world.evidence(), "v.small", parse_supposition({"vcpus=8", "price=1.10"}));
    const auto truth = world_of(row("v.small", 8, "1.10") + row("w.large", 16, "1.60"));
    REQUIRE(result.supposed);
    CHECK(result.supposed->cost.value == test::approx(cost_in(truth, "v.small")));
    CHECK(result.supposed->hours.value < result.now->hours.value);  // two vCPUs starve a V100
  }
}

TEST_CASE("what-if: a speed is said to be of the one instance, unlike explain's") {
  const auto world = world_of(row("v.small", 2, "1.00") + row("w.large", 16, "1.60"));
  const auto notes = asked(world, "w.large", "gpu-speed=x1.3").notes;
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("gpu-speed is of acme/w.large alone, and all others keep theirs"));
  CHECK(notes[0].find("every machine with a V100") != std::string::npos);
  CHECK(asked(world, "w.large", "cpu-speed=x1.3").notes.at(0).find("every CPU") !=
        std::string::npos);
  CHECK(asked(world, "w.large", "price=-50%").notes.empty());
}

TEST_CASE("what-if: more vCPUs cost what shapes on either side of them sell for") {
  const auto world =
      world_of(row("v.small", 4, "1.00") + row("v.large", 8, "1.40") + row("u.other", 6, "9.99"));
  const auto between = asked(world, "v.small", "vcpus=7");
  REQUIRE(between.supposed);
  CHECK(between.supposed->price_per_hour == Money::parse("1.30", "USD"));
  CHECK(between.notes.at(0).find("[scaled]") != std::string::npos);
  const auto sold = asked(world, "v.small", "vcpus=8");
  CHECK(sold.supposed->price_per_hour == Money::parse("1.40", "USD"));
  const auto cheaper =
      what_if(job(), world.evidence(), "v.small", parse_supposition({"vcpus=8", "price=-10%"}));
  REQUIRE(cheaper.supposed);
  CHECK(cheaper.supposed->price_per_hour == Money::parse("1.26", "USD"));  // of what 8 are sold for
  const auto beyond = asked(world, "v.small", "vcpus=64");
  CHECK(beyond.supposed->price_per_hour == Money::parse("1.00", "USD"));
  CHECK(beyond.notes.at(0).find("[assumed]") != std::string::npos);
}

TEST_CASE("what-if: a family is what differs in one number or after the point") {
  const auto price_of = [](const std::string& now, const std::string& other, const char* price) {
    const auto world = world_of(row(now.c_str(), 8, "1.00") + row(other.c_str(), 16, price));
    return asked(world, now.c_str(), "vcpus=16").supposed->price_per_hour.decimal();
  };
  CHECK(price_of("n1-standard-8", "n1-standard-16", "1.90") == "1.90");
  CHECK(price_of("n1-standard-8", "n1-highcpu-16", "1.50") == "1.00");  // another: not taken
  CHECK(price_of("Standard_NC8ads_v4", "Standard_NC16ads_v4", "1.80") == "1.80");
  CHECK(price_of("Standard_NC8ads_v4", "Standard_ND16ads_v4", "1.80") == "1.00");
}

TEST_CASE("what-if: more memory costs what the size that has it sells for") {
  const auto of = [](const char* name, int vcpus, int gib, const char* price) {
    return fmt::format("acme,{},{},{},V100,1,here,{},USD,x86_64,current,2026-01-01,test\n",
                       name,
                       vcpus,
                       gib,
                       price);
  };
  const auto world = world_of(of("v.small", 4, 32, "1.00") + of("v.large", 12, 96, "1.80"));
  const auto price = [&](std::vector<std::string> words) {
    const auto result = what_if(job(), world.evidence(), "v.small", parse_supposition(words));
    REQUIRE(result.supposed);
    return result.supposed->price_per_hour;
  };
  CHECK(price({"memory=96GiB"}) == Money::parse("1.80", "USD"));
  CHECK(price({"memory=64GiB"}) == Money::parse("1.40", "USD"));
  CHECK(price({"memory=64GiB", "vcpus=12"}) == Money::parse("1.80", "USD"));
  CHECK(price({"memory=96GiB", "vcpus=8"}) == Money::parse("1.80", "USD"));
  CHECK(price({"memory=96GiB", "price=0.5"}) == Money::parse("0.5", "USD"));
  CHECK(price({"memory=500GiB"}) ==
        Money::parse("1.00", "USD"));  // nobody sells it, and it is said
  const auto beyond = asked(world, "v.small", "memory=500GiB");
  CHECK(beyond.notes.front().find("nothing with 500 GiB is sold beside it: the price is kept "
                                  "[assumed]") != std::string::npos);
}

TEST_CASE("what-if: a machine that could not do the job says why") {
  const auto world = world_of(row("v.small", 4, "1.00"));
  const auto result = asked(world, "v.small", "memory=0.5");
  CHECK_FALSE(result.supposed);
  CHECK(report::what_if_sentence(result) ==
        "With memory=0.5 acme/v.small could not do the job: host memory too small.");
}

namespace {

// v.small lets 50 MB/s of its disk through and v.large 200: one that fast would keep a V100 busy.
Knowledge world_with_caps() {
  auto world = world_of(row("v.small", 4, "1.00") + row("v.large", 12, "1.80"));
  world.catalog.add_volumes(
      "Provider,Class,Kind,IopsMax,MBpsBase,MBpsMax,PricePerGiBMonth,Currency,MinGiB,MaxGiB,Book,"
      "AsOf,Source\n"
      "acme,fast,network,100000,400,400,0.1,USD,1,16384,current,2026-01-01,test\n",
      "volumes.csv");
  world.catalog.add_disk_caps(
      "Provider,Instance,Class,MBps,Iops,Source\nacme,v.small,*,50,90000,test\n"
      "acme,v.large,*,200,90000,test\n",
      "disk_caps.csv");
  return world;
}

}  // namespace

TEST_CASE("what-if: another number of vCPUs lets another rate of the disk through") {
  const auto world = world_with_caps();
  const auto now = asked(world, "v.small", "batch=128");
  CHECK(now.supposed->disk_bytes_per_s == test::approx(50e6));
  const auto sold = asked(world, "v.small", "vcpus=12");
  REQUIRE(sold.supposed);
  CHECK(sold.supposed->disk_bytes_per_s == test::approx(200e6));
  CHECK(sold.notes.back().find("200 MB/s of its disk through, v.small 50 [published]") !=
        std::string::npos);
  // Half of the way from 4 to 12 vCPUs.
  const auto between = asked(world, "v.small", "vcpus=8");
  CHECK(between.supposed->disk_bytes_per_s == test::approx(125e6));
  CHECK(between.notes.back().find("scaled: between v.small and v.large") != std::string::npos);
  const auto beyond = asked(world, "v.small", "vcpus=64");
  CHECK(beyond.supposed->disk_bytes_per_s == test::approx(50e6));
  CHECK(beyond.notes.back().find("is kept [assumed]") != std::string::npos);
  // As a search over tables in which it is true: v.large itself.
  const auto truth = asked(world, "v.large", "batch=128");
  CHECK(sold.supposed->hours.value == test::approx(truth.supposed->hours.value));
  // A disk that is named goes through the same machine.
  const auto named = what_if(
      job(), world.evidence(), "v.small", parse_supposition({"vcpus=12", "disk=fast:200GiB"}));
  CHECK(named.supposed->disk_bytes_per_s == test::approx(200e6));
  const auto held = asked(world, "v.small", "disk=fast:300GiB");
  CHECK(held.notes.back() == "v.small lets 50 MB/s of its disk's 400 through [published]");
}

TEST_CASE("what-if: a disk whose price has no rate into the machine's is refused with the flag") {
  auto world = world_of(row("v.small", 4, "1.00"));
  world.catalog.add_volumes(
      "Provider,Class,Kind,IopsMax,MBpsBase,MBpsMax,PricePerGiBMonth,Currency,MinGiB,MaxGiB,Book,"
      "AsOf,Source\n"
      "acme,fast,network,100000,400,400,0.1,EUR,1,16384,current,2026-01-01,test\n",
      "volumes.csv");
  const auto supposed = parse_supposition({"disk=fast:200GiB"});
  CHECK_THROWS_WITH_AS(what_if(job(), world.evidence(), "v.small", supposed),
                       "disk=fast:200GiB: its price is in EUR, that of v.small in USD: "
                       "--fx EUR=RATE says what 1 EUR is in USD",
                       UsageError);
  auto query = job();
  query.rates.insert({"EUR", ExchangeRate{"EUR", "USD", 1'250'000'000, "2026-01-01"}});
  const auto told = what_if(query, world.evidence(), "v.small", supposed);
  REQUIRE(told.supposed);
  const auto& lines = told.supposed->bill.lines;
  const auto disk = std::find_if(lines.begin(), lines.end(), [](const BillLine& line) {
    return line.kind == BillLine::Kind::disk;
  });
  REQUIRE(disk != lines.end());
  CHECK(disk->unit_price == Money::parse("0.125", "USD"));
}

TEST_CASE("what-if: blocks that are run again because memory gets short are told") {
  const auto world =
      world_of("acme,h.one,16,200,H100,1,here,3.00,USD,x86_64,current,2026-01-01,test\n");
  auto query = job();
  query.network = "bert-large";
  query.sequence = 512;
  query.format = DataFormat::synthetic;
  query.batches = {8};
  const auto more = what_if(query, world.evidence(), "h.one", parse_supposition({"batch=256"}));
  REQUIRE(more.supposed);
  REQUIRE_FALSE(more.now->recompute);
  CHECK(more.supposed->recompute);
  REQUIRE_FALSE(more.notes.empty());
  CHECK(more.notes.back().find("(recompute)") != std::string::npos);
  const auto same = what_if(query, world.evidence(), "h.one", parse_supposition({"batch=4"}));
  CHECK(same.notes.empty());
}

TEST_CASE("what-if: another GPU has the batch that is best on it, unless one is supposed too") {
  const auto world =
      world_of("acme,l.one,16,200,T4,1,here,0.50,USD,x86_64,current,2026-01-01,test\n");
  auto query = job();
  query.network = "bert-large";
  query.sequence = 512;
  query.format = DataFormat::synthetic;
  query.recompute = false;
  query.batches = {2, 32};
  const auto batch_of = [&](const std::vector<std::string>& words) {
    const auto result = what_if(query, world.evidence(), "l.one", parse_supposition(words));
    REQUIRE(result.supposed);
    CHECK(result.now->batch_per_gpu == 2);  // more does not fit
    return result.supposed->batch_per_gpu;
  };
  CHECK(batch_of({"gpu=H100"}) == 32);
  CHECK(batch_of({"gpu=H100", "batch=2"}) == 2);
}

TEST_CASE("sort: ties and the chosen one keep their marks") {
  const auto world =
      world_of(row("v.small", 16, "1.00") + row("v.twin", 32, "1.02") + row("w.large", 96, "9.00"));
  auto answer = search(job(), world.evidence());
  std::set<std::string> tied;
  for (const auto index : answer.ties) {
    tied.insert(answer.options.at(index).instance);
  }
  REQUIRE_FALSE(tied.empty());
  CHECK(report::table_notes(answer, 0).front() == "= cannot be told apart from the first on cost");
  sort_options(answer, "price:desc");
  CHECK(answer.options.front().instance == "w.large");
  CHECK(report::table_notes(answer, 0).front() ==
        "= cannot be told apart from the one marked * on cost");
  std::set<std::string> still;
  for (const auto index : answer.ties) {
    still.insert(answer.options.at(index).instance);
  }
  CHECK(still == tied);
  CHECK_THROWS_AS(sort_options(answer, "speed"), UsageError);
  CHECK_THROWS_AS(sort_options(answer, "cost:up"), UsageError);
}
