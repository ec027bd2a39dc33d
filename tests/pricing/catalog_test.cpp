#include "pricing/catalog.h"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

using namespace rightsize;

TEST_CASE("catalog: every shipped row has a date and a source") {
  const auto catalog = shipped_catalog();
  CHECK(catalog.offers().size() > 3000);
  for (const auto& offer : catalog.offers()) {
    CAPTURE(offer.table);
    CAPTURE(offer.line);
    CHECK_FALSE(offer.as_of.empty());
    CHECK_FALSE(offer.source.empty());
    CHECK(offer.price_per_hour.nanos() > 0);
    CHECK_FALSE(offer.provider.empty());
  }
  for (const auto& volume : catalog.volumes()) {
    CHECK_FALSE(volume.as_of.empty());
    CHECK_FALSE(volume.source.empty());
  }
}

TEST_CASE("catalog: prices that can be checked by hand in the source tables") {
  const auto catalog = shipped_catalog();
  const auto price_of = [&](std::string_view instance,
                            std::string_view region,
                            Market market,
                            std::string_view book) {
    for (const auto& offer : catalog.offers()) {
      if (offer.instance == instance && offer.region == region && offer.market == market &&
          offer.book == book) {
        return offer.price_per_hour.decimal();
      }
    }
    return std::string("none");
  };
  CHECK(price_of("p3.2xlarge", "us-east-1", Market::on_demand, "current") == "3.06");
  CHECK(price_of("p2.xlarge", "us-east-1", Market::on_demand, "era-2017") == "0.90");
  CHECK(price_of("ecs.gn5-c4g1.xlarge", "us-west-1", Market::on_demand, "era-2017") == "11.916");
  CHECK(price_of("ecs.gn5-c4g1.xlarge", "us-west-1", Market::spot, "era-2017") == "1.224");
  CHECK(price_of("p5.4xlarge", "us-east-1", Market::spot, "current") == "none");
}

TEST_CASE("catalog: a missing price is no offer and a placeholder is left out with a note") {
  Catalog catalog;
  catalog.add_offers(
      "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,Price,"
      "SpotPrice\n"
      "a,4,16,T4,1,\"{'Gpus': [{'Name': 'T4'}]}\",r,0.5,99999999.000\n"
      "b,,,T4,1,,r,,0\n",
      "theirs.csv");
  REQUIRE(catalog.offers().size() == 1);
  CHECK(catalog.offers()[0].instance == "a");
  CHECK(catalog.offers()[0].market == Market::on_demand);
  REQUIRE(catalog.issues().size() == 2);
  CHECK(catalog.issues()[0].line == 2);
  CHECK(catalog.issues()[1].field == "SpotPrice");
}

TEST_CASE("catalog: a wrong file is refused with file, line and field") {
  Catalog catalog;
  CHECK_THROWS_WITH(catalog.add_offers("a,b\n1,2\n", "x.csv"),
                    "x.csv:1: there is no column \"InstanceType\"");
  CHECK_THROWS_WITH(catalog.add_offers("InstanceType;vCPUs;Price\nm;4;1\n", "x.csv"),
                    "x.csv:1: there is no column \"InstanceType\"; its fields are separated by "
                    "semicolons: use commas");
  CHECK_THROWS_WITH(catalog.add_offers(
                        "InstanceType,vCPUs,MemoryGiB,Region,Price,price\nm,4,16,r,1,2\n", "x.csv"),
                    "x.csv:1: column \"price\" is there twice; leave one out");
  CHECK_THROWS_WITH(
      catalog.add_offers("InstanceType,vCPUs,MemoryGiB,Region,Price\nm,four,16,r,1\n", "x.csv"),
      "x.csv:2: vCPUs = \"four\": expected a number");
  CHECK_THROWS_WITH(
      catalog.add_offers("InstanceType,vCPUs,MemoryGiB,Region,Price\nm,4,16,r,cheap\n", "x.csv"),
      doctest::Contains("x.csv:2: Price: \"cheap\" is not a price"));
}

TEST_CASE("catalog: every provider has a billing rule, the unknown ones whole hours") {
  const auto catalog = shipped_catalog();
  for (const auto& offer : catalog.offers()) {
    CHECK_NOTHROW(static_cast<void>(catalog.billing(offer.provider, offer.book)));
  }
  CHECK(catalog.billing("nobody", "current").granularity == std::chrono::seconds(3600));
  CHECK(catalog.billing("aws", "current").granularity == std::chrono::seconds(1));
}

TEST_CASE("catalog: no two shipped offers claim the same thing at different prices") {
  const auto catalog = shipped_catalog();
  std::set<std::string> seen;
  for (const auto& offer : catalog.offers()) {
    const auto key = offer.provider + "/" + offer.instance + "/" + offer.region + "/" +
                     std::string(to_string(offer.market)) + "/" + offer.book;
    CAPTURE(key);
    CHECK(seen.insert(key).second);
  }
}
