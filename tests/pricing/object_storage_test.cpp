// Data that lie elsewhere: what keeping them and taking them out costs. The arithmetic stands in
// words above each case; the prices are those of tables/object_storage.csv.
#include "pricing/object_storage.h"

#include <string>

#include <doctest/doctest.h>

#include "pricing/bill.h"
#include "pricing/catalog.h"

using namespace rightsize;
using namespace std::chrono_literals;

namespace {

const ObjectStorage& storage_of(const Catalog& catalog, const std::string& provider) {
  for (const auto& storage : catalog.object_storage()) {
    if (storage.provider == provider) {
      return storage;
    }
  }
  FAIL("no object storage of ", provider);
  std::abort();
}

Offer machine(const std::string& provider, const std::string& region) {
  Offer offer;
  offer.provider = provider;
  offer.instance = "m";
  offer.region = region;
  offer.price_per_hour = Money::parse("1", "USD");
  return offer;
}

const BillingRule per_second{"*", "current", 1s, 60s, "assumed", ""};

}  // namespace

// Out of AWS to another provider: 140 GiB, 100 of them free, 40 x $0.09 = $3.60.
// Two machines fetch 280 GiB: 180 x $0.09 = $16.20.
TEST_CASE("egress: to another provider by tiers, the free part first") {
  const auto catalog = shipped_catalog();
  const StoredData data{&storage_of(catalog, "aws"), "us-east-1", 140};
  const auto there = machine("gcp", "us-central1");
  CHECK(cost_of_leaving(data, there, 1) == Money::parse("3.6", "USD"));
  CHECK(cost_of_leaving(data, there, 2) == Money::parse("16.2", "USD"));
  const auto lines = leaving(data, there, 1);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].gib == 40);
  // 20 TiB: 10,140 GiB x $0.09 + 10,240 GiB x $0.085 = 912.60 + 870.40 = $1,783.00.
  const StoredData large{data.storage, "us-east-1", 20 * 1024};
  CHECK(cost_of_leaving(large, there, 1) == Money::parse("1783", "USD"));
}

TEST_CASE("egress: nothing within the region, a flat price to another of the same provider") {
  const auto catalog = shipped_catalog();
  const StoredData data{&storage_of(catalog, "aws"), "us-east-1", 140};
  CHECK(leaving(data, machine("aws", "us-east-1"), 1).empty());
  // 140 GiB x $0.02 = $2.80.
  CHECK(cost_of_leaving(data, machine("aws", "us-west-2"), 1) == Money::parse("2.8", "USD"));
  const StoredData anywhere{data.storage, "", 140};
  CHECK(leaving(anywhere, machine("aws", "us-west-2"), 1).empty());
  const StoredData free{&storage_of(catalog, "cloudflare"), "", 140};
  CHECK(leaving(free, machine("aws", "us-west-2"), 1).empty());
}

// Ten hours of a machine at $1; 140 GiB for 10 h at $0.023 per GiB and month of 730 h:
// 140 x 0.023 x 10 / 730 = $0.044109589; out of AWS $3.60.
TEST_CASE("bill: storage for the job's time and egress once are lines of it") {
  const auto catalog = shipped_catalog();
  const StoredData data{&storage_of(catalog, "aws"), "us-east-1", 140};
  const BillTerms terms{100, data};
  const auto offer = machine("gcp", "us-central1");
  const auto result = bill(offer, 1, std::nullopt, 10h, per_second, terms);
  REQUIRE(result.lines.size() == 3);
  CHECK(result.lines[1].kind == BillLine::Kind::storage);
  CHECK(result.lines[1].what == "aws S3 Standard");
  CHECK(result.lines[1].amount == Money::parse("0.044109589", "USD"));
  CHECK(result.lines[2].kind == BillLine::Kind::egress);
  CHECK(result.lines[2].quantity == "40 GiB");
  CHECK(result.total == Money::parse("13.644109589", "USD"));
  CHECK(bill_total(offer, 1, std::nullopt, 10h, per_second, terms) == result.total);
}

TEST_CASE("object storage table: what is wrong is named by line and field") {
  const std::string head =
      "Provider,Class,PricePerGiBMonth,ToRegionPerGiB,ToInternet,Currency,AsOf,Source\n";
  for (const std::string tiers : {"100:0", "*:0 100:1", "100:0 50:1 *:2", "x:1 *:2", ""}) {
    CAPTURE(tiers);
    CHECK_THROWS_WITH(static_cast<void>(parse_object_storage(
                          head + "me,cold,0.01,0.02," + tiers + ",USD,2026,me\n", "o.csv")),
                      doctest::Contains("o.csv:2: ToInternet"));
  }
  CHECK_THROWS_AS(
      static_cast<void>(parse_object_storage(head + "me,cold,,0.02,*:1,USD,2026,me\n", "o.csv")),
      PricingError);
}
