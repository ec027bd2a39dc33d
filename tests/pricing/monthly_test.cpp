// Machines that are rented by the month: bills worked out by hand, and the rows that say so.
#include "pricing/monthly.h"

#include <sstream>

#include <doctest/doctest.h>

#include "pricing/bill.h"
#include "pricing/billing.h"
#include "pricing/import/import.h"
#include "pricing/offer_csv.h"

using namespace rightsize;
using namespace std::chrono_literals;

namespace {

const BillingRule per_second{"alibaba", "current", 1s, 1s, "assumed", ""};

Offer rented(const char* per_month) {
  Offer offer;
  offer.provider = "alibaba";
  offer.instance = "ecs.gn6i-c4g1.xlarge";
  rent_by_month(offer, Money::parse(per_month, "USD"));
  return offer;
}

ImportedTable book_with(const std::string& offer) {
  std::istringstream in(
      "book = \"mine\"\n[[offer]]\nprovider = \"aws\"\ninstance = \"p5.4xlarge\"\n"
      "region = \"us-east-1\"\n" +
      offer);
  return import_prices(in, "book.toml", {}, "book");
}

}  // namespace

TEST_CASE("monthly: a month's price is given back exactly, though it is no whole 730th") {
  for (const auto* price : {"1000", "2500", "0.01", "123456.789012", "99999.99"}) {
    CHECK(month_price(rented(price)) == Money::parse(price, "USD"));
  }
  CHECK_THROWS_WITH(static_cast<void>(rented("1.0000001")), doctest::Contains("six decimals"));
}

// 731 hours are begun months two: 2 machines x 2 x 1000 = 4000, and their disks of 300 GiB at 0.35
// a GiB and month for as long, 2 x 300 x 0.35 x 2 = 420; together 4420.
TEST_CASE("monthly: whole months are billed, of the machines and the disks beside them") {
  VolumeClass disk;
  disk.provider = "alibaba";
  disk.name = "cloud_efficiency";
  disk.price_per_gib_month = Money::parse("0.35", "USD");
  const auto offer = rented("1000");
  const auto result = bill(offer, 2, VolumeChoice{&disk, 300}, 731h, per_second);
  REQUIRE(result.lines.size() == 2);
  CHECK(result.lines[0].what == "ecs.gn6i-c4g1.xlarge monthly");
  CHECK(result.lines[0].quantity == "2 x 2 months");
  CHECK(result.lines[0].unit_price == Money::parse("1000", "USD"));
  CHECK(result.lines[0].amount == Money::parse("4000", "USD"));
  CHECK(result.lines[1].amount == Money::parse("420", "USD"));
  CHECK(result.total == Money::parse("4420", "USD"));
  CHECK(bill_total(offer, 2, VolumeChoice{&disk, 300}, 731h, per_second) == result.total);
  // A second and a whole month are one, and one more second is another.
  CHECK(bill_total(offer, 1, std::nullopt, 1s, per_second) == Money::parse("1000", "USD"));
  CHECK(bill_total(offer, 1, std::nullopt, 730h, per_second) == Money::parse("1000", "USD"));
  CHECK(bill_total(offer, 1, std::nullopt, 730h + 1s, per_second) == Money::parse("2000", "USD"));
}

// 20 runs of 18 hours are 360 of a month's 730: one machine, of which each bears a twentieth. 50
// are 900: two machines. One run in ten months rents a month, and not ten.
TEST_CASE("monthly: runs of one month share what they rent") {
  const auto of = [](double runs) {
    return bill_total(rented("1000"), 1, std::nullopt, 18h, per_second, {.runs_per_month = runs});
  };
  CHECK(of(20) == Money::parse("50", "USD"));
  CHECK(of(50) == Money::parse("40", "USD"));
  CHECK(of(0.1) == Money::parse("1000", "USD"));
  const auto result =
      bill(rented("1000"), 1, std::nullopt, 18h, per_second, {.runs_per_month = 20});
  CHECK(result.lines[0].quantity == "1 x 0.05 months");
}

TEST_CASE("monthly: no discount for use through the month is taken off") {
  BillingRule gcp = per_second;
  gcp.sustained = {{0, 100}, {25, 80}, {50, 60}, {75, 40}};
  CHECK(bill_total(rented("1000"), 1, std::nullopt, 730h, gcp) == Money::parse("1000", "USD"));
}

TEST_CASE("monthly: a price book says so with per = \"month\"") {
  const auto table = book_with("price = \"2500\"\nper = \"month\"\n");
  REQUIRE(table.offers.size() == 1);
  CHECK(is_monthly(table.offers[0]));
  CHECK(month_price(table.offers[0]) == Money::parse("2500", "USD"));
  CHECK_FALSE(is_monthly(book_with("price = \"2.5\"\nper = \"hour\"\n").offers[0]));
}

TEST_CASE("monthly: what makes no sense is refused with its place and what to say") {
  const auto refused = [](const std::string& offer, const char* why) {
    CHECK_THROWS_WITH(static_cast<void>(book_with(offer)), doctest::Contains(why));
  };
  refused("price = \"2500\"\nper = \"week\"\n",
          "book.toml:7: per = \"week\": expected \"hour\" or \"month\"");
  refused("price = \"2500\"\nper = \"\"\n", "book.toml:7: per is empty");
  refused("price = \"2.5\"\nmarket = \"\"\n", "book.toml:7: market is empty");
  refused("price = \"2500\"\nper = \"month\"\nmarket = \"spot\"\n",
          "market = \"spot\": whole months");
  refused("price = \"2500\"\nper = \"month\"\nmarket = \"reserved-1y\"\n",
          "a reservation's price is per hour");
  refused("price = \"0.1234567\"\nper = \"month\"\n", "book.toml:6: price: 0.1234567 a month");
}

TEST_CASE("monthly: the column MonthlyPrice is read beside the others and written again") {
  std::istringstream in(
      "Provider,InstanceType,vCPUs,MemoryGiB,Region,Price,MonthlyPrice\n"
      "acme,both,4,16,here,0.5,250\n"
      "acme,month-only,4,16,here,,300.5\n");
  const auto table = import_prices(in, "mine.csv", {}, "skypilot");
  REQUIRE(table.offers.size() == 3);
  CHECK(table.issues.empty());
  CHECK_FALSE(is_monthly(table.offers[0]));
  CHECK(is_monthly(table.offers[1]));
  CHECK(month_price(table.offers[2]) == Money::parse("300.5", "USD"));
  std::istringstream again(to_offer_csv(table.offers));
  const auto reread = import_prices(again, "mine.csv", {}, "skypilot");
  REQUIRE(reread.offers.size() == 3);
  CHECK(month_price(reread.offers[1]) == Money::parse("250", "USD"));
  CHECK(month_price(reread.offers[2]) == Money::parse("300.5", "USD"));
}

TEST_CASE("monthly: a table of months alone needs no column of hours") {
  std::istringstream in(
      "InstanceType,vCPUs,MemoryGiB,Region,MonthlyPrice\n"
      "month-only,4,16,here,300.5\n");
  const auto table = import_prices(in, "mine.csv", {}, "skypilot");
  REQUIRE(table.offers.size() == 1);
  CHECK(table.issues.empty());
  CHECK(month_price(table.offers[0]) == Money::parse("300.5", "USD"));
}
