// Bills worked out by hand, the arithmetic in words.
#include "pricing/billing.h"

#include <set>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "pricing/bill.h"
#include "pricing/catalog.h"
#include "pricing/least_share_paid.h"

using namespace rightsize;
using namespace std::chrono_literals;

namespace {

Money usd(std::string_view text) {
  return Money::parse(text, "USD");
}

const Offer& shipped(const Catalog& catalog,
                     std::string_view instance,
                     std::string_view region,
                     Market market,
                     std::string_view book) {
  for (const auto& offer : catalog.offers()) {
    if (offer.instance == instance && offer.region == region && offer.market == market &&
        offer.book == book) {
      return offer;
    }
  }
  FAIL("the shipped tables lack " << instance);
  std::abort();
}

Money total(const Catalog& catalog, const Offer& offer, std::chrono::seconds used) {
  return bill(offer, 1, std::nullopt, used, catalog.billing(offer.provider, offer.book)).total;
}

}  // namespace

TEST_CASE("billing: the founding report's K80 against 64 preemptible vCPUs") {
  const auto catalog = shipped_catalog();
  const auto& k80 = shipped(catalog, "K80 instance", "not stated", Market::on_demand, "era-2017");
  const auto& cpus = shipped(catalog, "n1-highcpu-64", "not stated", Market::spot, "era-2017");
  // 100 minutes of a K80 at 0.745 an hour: 0.745 x 100 / 60 = 1.241666667.
  CHECK(total(catalog, k80, 6000s) == usd("1.241666667"));
  // The same job in 2 hours on 64 vCPUs at 0.509 an hour is 1.018: cheaper although slower.
  CHECK(total(catalog, cpus, 7200s) == usd("1.018"));
  // They cost the same when the CPUs take 0.745 / 0.509 = 1.4637 times as long.
  CHECK(total(catalog, cpus, 8782s) > total(catalog, k80, 6000s));
  CHECK(total(catalog, cpus, 8781s) < total(catalog, k80, 6000s));
}

TEST_CASE("billing: fewer vCPUs of a price per vCPU cost the same for the same work") {
  // A quarter of the machine (16 of 64 vCPUs) for four times as long.
  const Money hour = usd("0.509");
  CHECK(hour.times(16, 64).times(4) == hour);
  CHECK(hour.times(32, 64).times(2) == hour);
}

TEST_CASE("billing: EC2 prices of November 2017 are by the second, a minute at least, as GCE's") {
  const auto catalog = shipped_catalog();
  const auto& p2 = shipped(catalog, "p2.xlarge", "us-east-1", Market::on_demand, "era-2017");
  const auto& k80 = shipped(catalog, "K80 instance", "not stated", Market::on_demand, "era-2017");
  CHECK(p2.as_of == "2017-11-12");  // after 2017-10-02, when EC2 left the whole hours
  CHECK(catalog.billing("aws", "era-2017").basis == "published");
  // 61 minutes: 0.90 x 3660 / 3600, and 0.745 x 3660 / 3600.
  CHECK(total(catalog, p2, 3660s) == usd("0.915"));
  CHECK(total(catalog, k80, 3660s) == usd("0.757416667"));
  // A second is billed as a minute.
  CHECK(total(catalog, p2, 1s) == usd("0.015"));
  CHECK(total(catalog, k80, 1s) == usd("0.012416667"));
}

TEST_CASE("billing: until September 2017 EC2 rounds to hours where GCE counts minutes") {
  const auto catalog = shipped_catalog();
  // Nothing shipped is of that book: a table of one's own names it in its Book column.
  auto p2 = shipped(catalog, "p2.xlarge", "us-east-1", Market::on_demand, "era-2017");
  auto k80 = shipped(catalog, "K80 instance", "not stated", Market::on_demand, "era-2017");
  p2.book = k80.book = "until-2017-09";
  // 60 minutes and a second: two whole hours at 0.90, but 61 minutes at 0.745 / 60.
  CHECK(total(catalog, p2, 3601s) == usd("1.80"));
  CHECK(total(catalog, k80, 3601s) == usd("0.757416667"));
  // One second: an hour, and ten minutes.
  CHECK(total(catalog, p2, 1s) == usd("0.90"));
  CHECK(total(catalog, k80, 1s) == usd("0.124166667"));
}

TEST_CASE("billing: per minute and per month are granularities like others") {
  const BillingRule per_minute{"x", "b", 60s, 600s, "assumed", ""};
  CHECK(billed_time(per_minute, 61s) == 600s);
  CHECK(billed_time(per_minute, 601s) == 660s);
  const BillingRule monthly{"x", "b", 730h, 730h, "assumed", ""};
  CHECK(billed_time(monthly, 1s) == 730h);
  CHECK(billed_time(monthly, 731h) == 1460h);
}

TEST_CASE("billing: a preemptible machine lives a day, and each life is billed by itself") {
  BillingRule rule{"x", "b", 3600s, 3600s, "assumed", ""};
  rule.spot_lifetime = 24h;
  // 24 h, then 5.5 h that count as 6.
  CHECK(billed_time(rule, Market::spot, 29h + 30min) == 30h);
  CHECK(billed_time(rule, Market::spot, 48h) == 48h);
  rule.minimum = 2h;
  CHECK(billed_time(rule, Market::spot, 24h + 60s) == 26h);
  CHECK(billed_time(rule, Market::on_demand, 24h + 60s) == 25h);
}

TEST_CASE("billing: a reservation that is used for 60 % of its hours costs a job two thirds more") {
  const auto catalog = shipped_catalog();
  const auto& p3 = shipped(catalog, "p3.2xlarge", "us-east-1", Market::reserved_1y, "era-2017");
  const BillingRule rule{"aws", "until-2017-09", 3600s, 3600s, "published", ""};
  const auto all = bill(p3, 1, std::nullopt, 10h, rule);
  CHECK(all.total == usd("20.88"));  // 10 h x 2.088
  CHECK(all.lines.size() == 1);
  const auto some = bill(p3, 1, std::nullopt, 10h, rule, {60});
  REQUIRE(some.lines.size() == 2);
  CHECK(some.lines[1].kind == BillLine::Kind::reservation);
  CHECK(some.lines[1].amount == usd("13.92"));  // 20.88 x 40 / 60
  CHECK(some.total == usd("34.80"));
  CHECK(bill_total(p3, 1, std::nullopt, 10h, rule, {60}) == some.total);
  CHECK_THROWS_AS(static_cast<void>(bill(p3, 1, std::nullopt, 10h, rule, {0})), PricingError);
}

// Two runs of 36.5 hours are a tenth of the month that is paid for.
TEST_CASE("billing: runs of a month bear a reservation among them, unless its use is given") {
  const auto catalog = shipped_catalog();
  const auto& p3 = shipped(catalog, "p3.2xlarge", "us-east-1", Market::reserved_1y, "era-2017");
  const BillingRule rule{"aws", "until-2017-09", 1s, 1s, "published", ""};
  const auto of = [&](BillTerms terms) {
    return bill(p3, 1, std::nullopt, 36h + 30min, rule, terms);
  };
  const auto twice = of({.runs_per_month = 2});
  CHECK(twice.total == usd("762.12"));  // 365 h x 2.088
  REQUIRE(twice.lines.size() == 2);
  CHECK(twice.lines[1].what == "idle share of the reservation (10 % used by 2 runs a month)");
  CHECK(of({.runs_per_month = 20}).total == usd("76.212"));  // all of its hours
  CHECK(of({.utilisation_percent = 50, .runs_per_month = 2}).total == usd("152.424"));
}

TEST_CASE("billing: no shipped rule takes more off a month than searches count with") {
  const auto catalog = shipped_catalog();
  std::set<std::pair<std::string, std::string>> discounts;
  for (const auto& offer : catalog.offers()) {
    const auto& tiers = catalog.billing(offer.provider, offer.book).sustained;
    if (!tiers.empty() && discounts.emplace(offer.provider, offer.book).second) {
      const auto left = static_cast<double>(sustained_hours_nanos(tiers, 730 * 3600)) * 1e-9 / 730;
      CHECK(left >= least_share_paid);
    }
  }
  CHECK_FALSE(discounts.empty());
}

TEST_CASE("billing: sustained use of a whole month is 30 % off, of a quarter nothing") {
  const auto catalog = shipped_catalog();
  Offer n1;
  n1.provider = "gcp";
  n1.book = "current";
  n1.instance = "n1-standard-4";
  n1.price_per_hour = usd("0.19");
  const auto& rule = catalog.billing("gcp", "current");
  // 730 h x 0.19 = 138.70; a quarter each at 100, 80, 60 and 40 %: 70 % of it, 97.09.
  const auto month = bill(n1, 1, std::nullopt, 730h, rule);
  REQUIRE(month.lines.size() == 2);
  CHECK(month.lines[0].amount == usd("138.70"));
  CHECK(month.lines[1].amount == usd("-41.61"));
  CHECK(month.total == usd("97.09"));
  CHECK(bill_total(n1, 1, std::nullopt, 730h, rule) == month.total);
  // Half a month: 182.5 h at 100 % and 182.5 h at 80 %: 328.5 h x 0.19 = 62.415.
  CHECK(bill(n1, 1, std::nullopt, 365h, rule).total == usd("62.415"));
  CHECK(bill(n1, 1, std::nullopt, 182h, rule).lines.size() == 1);
  // What does not divide by hours leaves a rounding, which is no discount.
  for (const auto odd : {1559s, 25min + 59s, 100h + 7s}) {
    CHECK(bill(n1, 1, std::nullopt, odd, rule).lines.size() == 1);
  }
  // Machines cut to measure are N1, with the GPUs beside them; A2 and its A100 get nothing.
  n1.instance = "custom-4-16384+4xT4";
  CHECK(bill(n1, 1, std::nullopt, 730h, rule).total == usd("97.09"));
  n1.instance = "a2-highgpu-1g";
  CHECK(bill(n1, 1, std::nullopt, 730h, rule).total == usd("138.70"));
  n1.instance = "n1-standard-4";
  n1.market = Market::spot;
  CHECK(bill(n1, 1, std::nullopt, 730h, rule).lines.size() == 1);
}

TEST_CASE("billing: egress has its free part, and tiers that end are an error") {
  const std::vector<AmountTier> egress{
      {100, usd("0")}, {10'240, usd("0.09")}, {std::nullopt, usd("0.085")}};
  const auto lines = tiered(egress, 10'340 * gib_bytes);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].amount.is_zero());
  CHECK(lines[1].amount == usd("912.60"));  // 10140 GiB x 0.09
  CHECK(lines[2].amount == usd("8.50"));    // the last 100 GiB x 0.085
  CHECK(tiered(egress, 50 * gib_bytes).size() == 1);
  CHECK_THROWS_AS(static_cast<void>(tiered({{100, usd("0")}}, 101 * gib_bytes)), PricingError);
  CHECK_THROWS_AS(static_cast<void>(tiered({{100, usd("0")}, {100, usd("1")}}, 50 * gib_bytes)),
                  PricingError);
}

TEST_CASE("billing: reserved prices are those of the tables, and nothing where they have none") {
  const auto catalog = shipped_catalog();
  // gcp_2026-07-30.csv: 325.07215214 a month of 730 h.
  const auto& g2 = shipped(catalog, "g2-standard-4", "us-central1", Market::reserved_1y, "current");
  CHECK(g2.price_per_hour == usd("0.445304318"));
  CHECK(g2.payment == "no upfront");
  for (const auto& offer : catalog.offers()) {
    if (committed_hours(offer.market) > 0) {
      CHECK((offer.provider == "gcp" || offer.book == "era-2017"));
    }
  }
}
