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
  const StoredData data{&storage_of(catalog, "aws"), "us-east-1", 140 * gib_bytes};
  const auto there = machine("gcp", "us-central1");
  CHECK(cost_of_leaving(data, there, 1) == Money::parse("3.6", "USD"));
  CHECK(cost_of_leaving(data, there, 2) == Money::parse("16.2", "USD"));
  const auto lines = leaving(data, there, 1);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].bytes == 40 * gib_bytes);
  // 20 TiB: 10,140 GiB x $0.09 + 10,240 GiB x $0.085 = 912.60 + 870.40 = $1,783.00.
  const StoredData large{data.storage, "us-east-1", 20 * 1024 * gib_bytes};
  CHECK(cost_of_leaving(large, there, 1) == Money::parse("1783", "USD"));
}

TEST_CASE("egress: nothing within the region, a flat price to another of the same provider") {
  const auto catalog = shipped_catalog();
  const StoredData data{&storage_of(catalog, "aws"), "us-east-1", 140 * gib_bytes};
  CHECK(leaving(data, machine("aws", "us-east-1"), 1).empty());
  // 140 GiB x $0.02 = $2.80.
  CHECK(cost_of_leaving(data, machine("aws", "us-west-2"), 1) == Money::parse("2.8", "USD"));
  const StoredData anywhere{data.storage, "", 140 * gib_bytes};
  CHECK(leaving(anywhere, machine("aws", "us-west-2"), 1).empty());
  const StoredData free{&storage_of(catalog, "cloudflare"), "", 140 * gib_bytes};
  CHECK(leaving(free, machine("aws", "us-west-2"), 1).empty());
}

// Ten hours of a machine at $1; 140 GiB for 10 h at $0.023 per GiB and month of 730 h:
// 140 x 0.023 x 10 / 730 = $0.044109589; out of AWS $3.60.
TEST_CASE("bill: storage for the job's time and egress once are lines of it") {
  const auto catalog = shipped_catalog();
  const StoredData data{&storage_of(catalog, "aws"), "us-east-1", 140 * gib_bytes};
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

// 147,897,123,456 bytes are 137.739930 GiB, metered in bytes and not in whole GiB (138):
// out of AWS to another provider 147,897,123,456 / 2^30 - 100 = 37.7399297953 GiB x $0.09 =
// $3.396593682; to another region of it 137.7399297953 x $0.02 = $2.754798596; kept for 10 h
// 137.7399297953 x $0.023 x 10 / 730 = $0.043397512.
TEST_CASE("bill: what lies in object storage and what leaves it is metered to the byte") {
  const auto catalog = shipped_catalog();
  const StoredData data{&storage_of(catalog, "aws"), "us-east-1", 147'897'123'456};
  const auto there = machine("gcp", "us-central1");
  CHECK(cost_of_leaving(data, there, 1) == Money::parse("3.396593682", "USD"));
  CHECK(cost_of_leaving(data, machine("aws", "us-west-2"), 1) ==
        Money::parse("2.754798596", "USD"));
  CHECK(charge_for_keeping(data, 10h).amount == Money::parse("0.043397512", "USD"));
  const BillTerms terms{100, data};
  const auto result = bill(there, 1, std::nullopt, 10h, per_second, terms);
  REQUIRE(result.lines.size() == 3);
  CHECK(result.lines[1].quantity == "137.74 GiB x 10.00 h");
  CHECK(result.lines[2].quantity == "37.7399 GiB");
  CHECK(result.total == Money::parse("13.439991194", "USD"));
  CHECK(bill_total(there, 1, std::nullopt, 10h, per_second, terms) == result.total);
}

// The free 100 GiB are free to the byte: one more costs 0.09 / 2^30 dollars, a tenth of a
// nano-unit.
TEST_CASE("egress: the free part ends at its byte, and copies beyond all counting are refused") {
  const auto catalog = shipped_catalog();
  const auto there = machine("gcp", "us-central1");
  const StoredData free{&storage_of(catalog, "aws"), "us-east-1", 100 * gib_bytes};
  CHECK(leaving(free, there, 1).empty());
  const StoredData more{free.storage, "us-east-1", 100 * gib_bytes + 1'000'000'000};
  // 10^9 / 2^30 x $0.09 = $0.083819032.
  CHECK(cost_of_leaving(more, there, 1) == Money::parse("0.083819032", "USD"));
  const StoredData endless{free.storage, "us-east-1", std::int64_t{1} << 62};
  CHECK_THROWS_WITH_AS(static_cast<void>(leaving(endless, there, 8)),
                       doctest::Contains("8 copies of"),
                       PricingError);
}

// R2 bills whole GB-months: 140 GiB for 10 h are 140 x 10 / 730 = 1.918, so 2 x $0.015 = $0.03; for
// a month of 730 h exactly 140.
TEST_CASE("storage: whole GiB-months where no part of one is sold") {
  const auto catalog = shipped_catalog();
  const StoredData r2{&storage_of(catalog, "cloudflare"), "", 140 * gib_bytes};
  CHECK(charge_for_keeping(r2, 10h).whole_gib_months == 2);
  CHECK(charge_for_keeping(r2, 10h).amount == Money::parse("0.03", "USD"));
  CHECK(charge_for_keeping(r2, 730h).amount == Money::parse("2.1", "USD"));
  const BillTerms terms{100, r2};
  const auto result = bill(machine("aws", "us-east-1"), 1, std::nullopt, 10h, per_second, terms);
  CHECK(result.lines[1].quantity == "2 whole GiB-months");
  CHECK(result.lines[1].amount == Money::parse("0.03", "USD"));
}

// A folder of 1,281,167 pictures read once from S3: 1,281,167 / 1000 x $0.0004 = $0.5124668; by two
// machines twice that. Azure: 1,281,167 / 1000 x $0.00044 = $0.56371348.
TEST_CASE("reads: every picture of a folder is a request, and each machine makes them all") {
  const auto catalog = shipped_catalog();
  const StoredData s3{&storage_of(catalog, "aws"), "us-east-1", 140 * gib_bytes, 1281167};
  CHECK(charge_for_reads(s3, 1).amount == Money::parse("0.5124668", "USD"));
  CHECK(charge_for_reads(s3, 2).amount == Money::parse("1.0249336", "USD"));
  const StoredData blob{&storage_of(catalog, "azure"), "eastus", 140 * gib_bytes, 1281167};
  CHECK(charge_for_reads(blob, 1).amount == Money::parse("0.56371348", "USD"));
  const StoredData unknown{s3.storage, "us-east-1", 140 * gib_bytes};
  CHECK(charge_for_reads(unknown, 1).amount.nanos() == 0);
}

// R2: 10 million a month are free, the rest in whole millions of $0.36. Eight machines read
// 8 x 1,281,167 = 10,249,336, of which 249,336 are billed as one million: $0.36.
TEST_CASE("reads: a free part, and whole millions beyond it") {
  const auto catalog = shipped_catalog();
  const StoredData r2{&storage_of(catalog, "cloudflare"), "", 140 * gib_bytes, 1281167};
  CHECK(charge_for_reads(r2, 7).amount.nanos() == 0);
  CHECK(charge_for_reads(r2, 8).reads == 1000000);
  CHECK(charge_for_reads(r2, 8).amount == Money::parse("0.36", "USD"));
}

// An hour in us-east-1 at $1, beside the data: nothing leaves, 140 GiB x $0.023 / 730 =
// $0.00441095890, cut to $0.004410959; reads $0.5124668.
TEST_CASE("bill: reads are a line of it, with how many they were") {
  const auto catalog = shipped_catalog();
  const StoredData data{&storage_of(catalog, "aws"), "us-east-1", 140 * gib_bytes, 1281167};
  const BillTerms terms{100, data};
  const auto offer = machine("aws", "us-east-1");
  const auto result = bill(offer, 1, std::nullopt, 1h, per_second, terms);
  REQUIRE(result.lines.size() == 3);
  CHECK(result.lines[2].what == "reads of aws S3 Standard");
  CHECK(result.lines[2].quantity == "1281167 reads");
  CHECK(result.lines[2].amount == Money::parse("0.5124668", "USD"));
  CHECK(result.total == Money::parse("1.516877759", "USD"));
  CHECK(bill_total(offer, 1, std::nullopt, 1h, per_second, terms) == result.total);
}

// GCE's tiers: 140 GiB, 100 of them free, 40 x $0.12 = $4.80.
TEST_CASE("egress: out of Cloud Storage") {
  const auto catalog = shipped_catalog();
  const StoredData data{&storage_of(catalog, "gcp"), "us-central1", 140 * gib_bytes};
  CHECK(cost_of_leaving(data, machine("aws", "us-east-1"), 1) == Money::parse("4.8", "USD"));
}

TEST_CASE("object storage table: what is wrong is named by line and field") {
  const std::string head =
      "Provider,Class,PricePerGiBMonth,ToRegionPerGiB,ToInternet,Per1000Reads,FreeReads,ReadUnit,"
      "Currency,AsOf,Source\n";
  const auto refused = [&](const std::string& row, const char* says) {
    CHECK_THROWS_WITH(static_cast<void>(parse_object_storage(head + row, "o.csv")),
                      doctest::Contains(says));
  };
  for (const std::string tiers : {"100:0", "*:0 100:1", "100:0 50:1 *:2", "x:1 *:2", ""}) {
    CAPTURE(tiers);
    refused("me,cold,0.01,0.02," + tiers + ",0.1,,,USD,2026,me\n", "o.csv:2: ToInternet");
  }
  refused("me,cold,,0.02,*:1,0.1,,,USD,2026,me\n", "o.csv:2: PricePerGiBMonth");
  refused("me,cold,0.01,0.02,*:1,,,,USD,2026,me\n", "o.csv:2: Per1000Reads");
  refused("me,cold,0.01,0.02,*:1,0.1,-1,,USD,2026,me\n", "o.csv:2: FreeReads = \"-1\"");
  refused("me,cold,0.01,0.02,*:1,0.1,,0,USD,2026,me\n", "o.csv:2: ReadUnit = \"0\"");
}
