// What the machine that size finds costs: bills worked out by hand.
#include "advisor/machine/sizing_price.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "advisor/report/sizing_price_text.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

// The founding verdict: 4 vCPU and 30 GiB keep a P100 busy half of the time at 100 img/s.
Sizing made_sizing() {
  Sizing sizing;
  sizing.target = 0.5;
  sizing.answer.verdict = Verdict::ok;
  sizing.answer.throughput = {100, 80, 125, 0.9, "img/s", Source::published};
  sizing.needs = {{"vcpus", "vCPU", 3.2, 3, 4, "", {}},
                  {"disk", "MB/s", 0, 0, 0, "", {}},
                  {"memory", "GiB", 30, 28, 33, "", {}}};
  return sizing;
}

// 180,000 items ten times over.
Configuration made_job() {
  Configuration asked;
  asked.machine.gpu = "P100";
  asked.machine.gpus_per_node = 1;
  asked.data = DataFormat::synthetic;
  asked.items = 180'000;
  asked.epochs = 10;
  return asked;
}

CustomFamily made_family(double most_gib_per_vcpu) {
  CustomFamily family;
  family.provider = "gcp";
  family.name = "custom";
  family.region = "us-central1";
  family.per_vcpu = Money::parse("0.0332", "USD");
  family.per_gib = Money::parse("0.0045", "USD");
  family.min_gib_per_vcpu = 1;
  family.max_gib_per_vcpu = most_gib_per_vcpu;
  family.max_vcpus = 96;
  family.gpu = "P100";
  family.gpu_counts = {{1, 16}, {2, 32}};
  family.per_gpu = Money::parse("1.46", "USD");
  family.book = "current";
  family.as_of = "2026-07-30";
  return family;
}

// On demand at today's prices.
Query everywhere() {
  Query scope;
  scope.markets = {Market::on_demand};
  return scope;
}

// By the second, whoever sells.
Catalog made_catalog() {
  Catalog catalog;
  catalog.add_billing("Provider,Book,GranularityS,MinimumS,Basis,Source\n*,*,1,1,assumed,test\n",
                      "billing.csv");
  return catalog;
}

Offer made_offer(const std::string& instance, double vcpus, double gib, const char* price) {
  Offer offer;
  offer.provider = "aws";
  offer.instance = instance;
  offer.region = "us-east-1";
  offer.gpu = "P100";
  offer.gpus = 1;
  offer.vcpus = vcpus;
  offer.memory_gib = gib;
  offer.price_per_hour = Money::parse(price, "USD");
  offer.book = "current";
  return offer;
}

// Busy half of the time from so many vCPUs on: 50 items a second, 36,000 s for the job.
OnMachine busy_from(double vcpus) {
  return [vcpus](const Offer& offer, const DiskChoice&) {
    Answer answer;
    answer.verdict = Verdict::ok;
    const double share = std::min(0.5, 0.5 * *offer.vcpus / vcpus);
    answer.prediction.busy[static_cast<std::size_t>(Bound::accelerator)] = share;
    answer.throughput = {100 * share, 80 * share, 125 * share, 0.9, "img/s", Source::published};
    const double hours = 1'800'000 / (100 * share) / 3600;
    answer.job = JobTime{
        10, {hours, hours / 1.25, hours / 0.8, 0.9, "h", Source::published}, 100 * share, false};
    return answer;
  };
}

}  // namespace

TEST_CASE(
    "size price: 4 x 0.0332 + 30 x 0.0045 + 1.46 = 1.7278 an hour, ten times it for ten hours") {
  const std::vector<CustomFamily> families{made_family(8)};
  const auto price =
      price_sizing(made_sizing(), made_job(), made_catalog(), families, everywhere(), busy_from(4));
  REQUIRE(price.has_value());
  CHECK(price->shape == "4 vCPU / 30 GiB / 1 x P100");
  REQUIRE(price->by_the_unit.has_value());
  const auto& shape = *price->by_the_unit;
  CHECK(shape.offer.instance == "custom-4-30720+1xP100");
  CHECK(shape.why_more_vcpus.empty());
  REQUIRE(shape.hour.lines.size() == 3);
  CHECK(shape.hour.lines[0].amount.decimal() == "0.1328");
  CHECK(shape.hour.lines[1].amount.decimal() == "0.135");
  CHECK(shape.hour.lines[2].amount.decimal() == "1.46");
  CHECK(shape.hour.total.decimal() == "1.7278");
  CHECK(shape.busy == test::approx(0.5));
  REQUIRE(shape.hours.has_value());
  CHECK(shape.hours->value == test::approx(10));
  REQUIRE(shape.job.has_value());
  CHECK(shape.job->total.decimal() == "17.278");
}

TEST_CASE("size price: more memory than 6.5 GiB for each vCPU is sold with two vCPUs more") {
  const std::vector<CustomFamily> families{made_family(6.5)};
  const auto price =
      price_sizing(made_sizing(), made_job(), made_catalog(), families, everywhere(), busy_from(4));
  REQUIRE(price.has_value());
  REQUIRE(price->by_the_unit.has_value());
  CHECK(price->by_the_unit->offer.instance == "custom-6-30720+1xP100");
  CHECK(price->by_the_unit->hour.total.decimal() == "1.7942");  // 6 x 0.0332 + 0.135 + 1.46
  CHECK(report::sizing_price_text(*price, {})
            .find("; 6 vCPU and not 4, as gcp sells at most 6.5 GiB for each vCPU\n") !=
        std::string::npos);
}

TEST_CASE("size price: where the needs together are not enough, vCPUs are added until they are") {
  const std::vector<CustomFamily> families{made_family(8)};
  auto catalog = made_catalog();
  catalog.add(made_offer("four", 4, 61, "2"));
  catalog.add(made_offer("eight", 8, 61, "2.25"));
  const auto price =
      price_sizing(made_sizing(), made_job(), catalog, families, everywhere(), busy_from(6));
  REQUIRE(price->by_the_unit.has_value());
  CHECK(price->by_the_unit->offer.instance == "custom-6-30720+1xP100");
  CHECK(price->by_the_unit->hour.total.decimal() == "1.7942");
  CHECK(price->by_the_unit->why_more_vcpus.starts_with(
      "6 vCPU and not 4, with which the whole machine keeps the P100 33 % busy"));
  CHECK(price->standard->offer.instance == "eight");  // "four" is cheaper, and not busy enough
  CHECK(price->standard->job->total.decimal() == "22.50");
  // Where none is enough, the busiest is named, with what it does.
  const auto far =
      price_sizing(made_sizing(), made_job(), catalog, families, everywhere(), busy_from(64));
  CHECK(far->standard->offer.instance == "eight");
  CHECK(far->standard->busy == test::approx(0.0625));
  CHECK(report::sizing_price_text(*far, {}).find("none that is sold reaches 50%") !=
        std::string::npos);
}

TEST_CASE("size price: of what is sold, what the job denies or limits away is no machine for it") {
  auto catalog = made_catalog();
  catalog.add(made_offer("cheap", 8, 61, "1"));
  catalog.add(made_offer("dear", 16, 122, "2"));
  const auto standard = [&](const Query& scope) {
    return price_sizing(made_sizing(), made_job(), catalog, {}, scope, busy_from(4))
        ->standard->offer.instance;
  };
  CHECK(standard(everywhere()) == "cheap");
  auto without = everywhere();
  without.deny = "^cheap$";
  CHECK(standard(without) == "dear");
  without.deny = ".";
  const auto none = price_sizing(made_sizing(), made_job(), catalog, {}, without, busy_from(4));
  REQUIRE_FALSE(none->standard);
  CHECK(report::sizing_price_text(*none, {}).find(
            "what holds it is not what the job asks for: on the deny list") != std::string::npos);
  auto large = everywhere();
  large.vcpus_min = 16;
  CHECK(standard(large) == "dear");
}

TEST_CASE("size price: a GPU whose machines are all retired is said to be so") {
  auto catalog = made_catalog();
  auto retired = made_offer("no-longer-sold", 8, 61, "1");
  retired.retired_on = "2026-01-01";
  catalog.add(retired);
  const auto price =
      price_sizing(made_sizing(), made_job(), catalog, {}, everywhere(), busy_from(4));
  CHECK(price->retired);
  CHECK(report::sizing_price_text(*price, {}).find("retired") != std::string::npos);
}

TEST_CASE("size price: of two regions the cheaper, of machines the cheapest that holds the shape") {
  auto dear = made_family(8);
  dear.region = "asia-east1";
  dear.per_gpu = Money::parse("1.6", "USD");
  const std::vector<CustomFamily> families{dear, made_family(8)};
  auto catalog = made_catalog();
  catalog.add(made_offer("too-little-memory", 8, 29, "0.5"));
  catalog.add(made_offer("holds-it", 8, 61, "2.25"));
  catalog.add(made_offer("holds-it-too", 16, 122, "3"));
  auto retired = made_offer("no-longer-sold", 8, 61, "1");
  retired.retired_on = "2026-01-01";
  catalog.add(retired);
  const auto price =
      price_sizing(made_sizing(), made_job(), catalog, families, everywhere(), busy_from(4));
  REQUIRE(price.has_value());
  CHECK(price->by_the_unit->offer.region == "us-central1");
  REQUIRE(price->standard.has_value());
  CHECK(price->standard->offer.instance == "holds-it");
  CHECK(price->standard->job->total.decimal() == "22.50");
}

// The 114 GiB that hold 100 GB and a system cost 0.0114 an hour on the first disk and 0.114 on the
// second; the job takes 12 hours with the one and 10 with the other: 12.14 or 11.14 USD.
TEST_CASE("size price: of two disks the one with which the whole job is the cheaper") {
  auto catalog = made_catalog();
  catalog.add_volumes(
      "Provider,Class,Kind,MBpsBase,MBpsMax,MinGiB,MaxGiB,PricePerGiBMonth,Currency,Book\n"
      "aws,slow,hdd,100,100,1,16384,0.073,USD,current\n"
      "aws,fast,ssd,1000,1000,1,16384,0.73,USD,current\n",
      "volumes.csv");
  catalog.add(made_offer("one", 8, 61, "1"));
  auto job = made_job();
  job.data = DataFormat::jpeg;
  job.bytes = 100'000'000'000;
  const OnMachine by_disk = [](const Offer&, const DiskChoice& disk) {
    Answer answer;
    answer.verdict = Verdict::ok;
    answer.prediction.busy[static_cast<std::size_t>(Bound::accelerator)] = 0.5;
    answer.throughput = {50, 40, 60, 0.9, "img/s", Source::published};
    const double hours = disk.label.starts_with("slow") ? 12 : 10;
    answer.job =
        JobTime{10, {hours, hours, hours, 0.9, "h", Source::published}, 1'800'000 / hours, false};
    return answer;
  };
  const auto price = price_sizing(made_sizing(), job, catalog, {}, everywhere(), by_disk);
  CHECK(price->standard->disk.starts_with("fast"));
  CHECK(price->standard->job->total.decimal() == "11.14");
  job.epochs.reset();  // no end is told: by the hour
  const auto by_hour = price_sizing(
      made_sizing(), job, catalog, {}, everywhere(), [&](const auto& o, const auto& d) {
        auto answer = by_disk(o, d);
        answer.job.reset();
        return answer;
      });
  CHECK(by_hour->standard->disk.starts_with("slow"));
}

TEST_CASE("size price: a dearer machine that is done sooner is taken where its job is cheaper") {
  auto catalog = made_catalog();
  catalog.add(made_offer("cheap", 8, 61, "2"));
  catalog.add(made_offer("quick", 16, 61, "2.25"));
  const OnMachine quicker = [](const Offer& offer, const DiskChoice& disk) {
    auto answer = busy_from(4)(offer, disk);
    const double hours = offer.instance == "quick" ? 8 : 10;  // 18 USD, and 20
    answer.job = JobTime{10, {hours, hours, hours, 0.9, "h", Source::published}, 50, false};
    return answer;
  };
  auto two = made_offer("two", 16, 61, "2.1");  // more GPUs than were asked for
  two.gpus = 2;
  catalog.add(two);
  const auto price = price_sizing(made_sizing(), made_job(), catalog, {}, everywhere(), quicker);
  CHECK(price->standard->offer.instance == "quick");
  CHECK(price->standard->job->total.decimal() == "18.00");
}

TEST_CASE("size price: where nobody sells the GPU by the unit, that is said, with who is sold so") {
  auto job = made_job();
  job.machine.gpu = "H100";
  job.epochs.reset();
  const std::vector<CustomFamily> families{made_family(8)};
  const auto price =
      price_sizing(made_sizing(), job, made_catalog(), families, everywhere(), busy_from(4));
  REQUIRE(price.has_value());
  CHECK_FALSE(price->by_the_unit.has_value());
  const auto text = report::sizing_price_text(*price, {});
  CHECK(text.find("no price table asked for sells this GPU by the unit in such a machine (they "
                  "sell P100)") != std::string::npos);
  CHECK(text.find("no price table asked for has a machine that holds it") != std::string::npos);
  auto hopeless = made_sizing();
  hopeless.shortfall = "no number of vCPUs is enough";
  CHECK_FALSE(price_sizing(hopeless, job, made_catalog(), families, everywhere(), busy_from(4))
                  .has_value());
}

// 4 x 0.0332 + 30 x 0.0045 + 1.46 = 1.7278 an hour of the first, of the second 1.75 with its cores
// at nothing; 12 vCPUs are busy enough, which makes the first 1.9934.
TEST_CASE(
    "size price: of two families the one that is cheaper with the vCPUs that are busy enough") {
  auto few_cores_dear = made_family(8);
  few_cores_dear.region = "europe-west1";
  few_cores_dear.per_vcpu = Money::parse("0.0001", "USD");
  few_cores_dear.per_gpu = Money::parse("1.6146", "USD");
  auto euros = made_family(8);  // no rate is known: not compared with dollars
  euros.region = "europe-west9";
  euros.per_vcpu = euros.per_gib = euros.per_gpu = Money::parse("0.01", "EUR");
  const std::vector<CustomFamily> families{euros, made_family(8), few_cores_dear};
  const auto price = price_sizing(
      made_sizing(), made_job(), made_catalog(), families, everywhere(), busy_from(12));
  CHECK(price->by_the_unit->offer.region == "europe-west1");
  CHECK(price->by_the_unit->hour.total.decimal() == "1.7508");  // 12 x 0.0001 + 0.135 + 1.6146
}

TEST_CASE("size price: is of the books and places that are asked for") {
  const std::vector<CustomFamily> families{made_family(8)};
  auto catalog = made_catalog();
  catalog.add(made_offer("here", 8, 61, "2.25"));
  auto there = made_offer("there", 8, 61, "2.75");
  there.region = "us-west-2";
  catalog.add(there);
  auto once = made_offer("once", 8, 61, "1.25");
  once.book = "era-2017";
  catalog.add(once);
  const auto sold = [&](const Query& scope) {
    return *price_sizing(made_sizing(), made_job(), catalog, families, scope, busy_from(4));
  };
  CHECK(sold(everywhere()).standard->offer.instance == "here");
  auto west = everywhere();
  west.infra = {"aws/us-west-*"};
  CHECK(sold(west).standard->offer.instance == "there");
  CHECK_FALSE(sold(west).by_the_unit.has_value());  // sold by gcp
  auto era = everywhere();
  era.book = "era-2017";
  CHECK(sold(era).standard->offer.instance == "once");
  CHECK_FALSE(sold(era).by_the_unit.has_value());
}
