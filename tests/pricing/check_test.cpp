#include "pricing/check.h"

#include <algorithm>
#include <sstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "pricing/days.h"
#include "pricing/import/import.h"

using namespace rightsize;

namespace {

constexpr const char* header =
    "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,AcceleratorMemoryGiB,"
    "Region,Price,SpotPrice,Currency,AsOf\n";

std::vector<PriceIssue> check(const std::string& rows) {
  static const Catalog known = shipped_catalog();
  std::istringstream in(header + rows);
  const auto table = import_prices(in, "mine.csv", {});
  return check_offers(table.offers, {"2026-11-21", 30, 90, &known});
}

// The one issue there is, as "line field: text".
std::string only(const std::string& rows) {
  const auto issues = check(rows);
  REQUIRE(issues.size() == 1);
  return std::to_string(issues[0].line) + " " + issues[0].field + ": " + issues[0].text;
}

}  // namespace

TEST_CASE("check: a clean row of this month has nothing to say") {
  CHECK(check("aws,p3.2xlarge,8,61,V100,1,16,us-east-1,3.06,1.1,USD,2026-11-02\n").empty());
}

TEST_CASE("check: age is told once per date, by 30 and by 90 days") {
  CHECK(only("acme,a,8,61,,,,r,3.06,,USD,2026-10-01\nacme,b,8,61,,,,r,3.06,,USD,2026-10-01\n") ==
        "2 AsOf: 2026-10-01 is 51 days ago, more than 30: fetch it anew before you rent");
  CHECK(only("acme,a,8,61,,,,r,3.06,,USD,2026-01-01\n").find("more than 90: do not spend on it") !=
        std::string::npos);
  CHECK(only("acme,a,8,61,,,,r,3.06,,USD,\n").find("no date") != std::string::npos);
  CHECK(age_doubt("2026-02-30", "2026-11-21", 30, 90).find("\"2026-02-30\" is no day") == 0);
  CHECK(only("acme,a,8,61,,,,r,3.06,,USD,2027-01-01\n").find("in the future") != std::string::npos);
}

TEST_CASE("check: a GPU that nobody knows is doubted once, by whoever knows them") {
  std::istringstream in(std::string(header) +
                        "acme,a,8,61,H1000,1,16,r,3.06,,USD,2026-11-02\n"
                        "acme,b,8,61,H1000,2,16,r,6.12,,USD,2026-11-02\n"
                        "acme,c,8,61,V100,1,16,r,3.06,,USD,2026-11-02\n");
  const auto table = import_prices(in, "mine.csv", {});
  CheckOptions options{.today = "2026-11-21"};
  options.gpu_doubt = [](std::string_view name) {
    return std::string(name == "V100" ? "" : "no figures");
  };
  const auto issues = check_offers(table.offers, options);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].line == 2);
  CHECK(issues[0].field == "AcceleratorName");
  CHECK(issues[0].text == "no figures");
}

TEST_CASE("check: memory of all GPUs as that of one, and a wrong number of GPUs") {
  CHECK(only("aws,p3.16xlarge,64,488,V100,8,128,us-east-1,24.48,,USD,2026-11-02\n")
            .find("2 AcceleratorMemoryGiB: 128 GiB for one V100: this looks like that of all 8") ==
        0);
  CHECK(only("azure,Standard_ND96isr_H100_v5,96,1900,H100,12,80,eastus,98.32,,USD,2026-11-02\n")
            .find("2 AcceleratorCount: 12, but azure.csv says 8") == 0);
}

// The shipped tables sell an A100 with 40 to 80 GiB, and know no machine "a" of acme.
TEST_CASE("check: a GPU memory that no GPU of that name has, on a machine no table knows") {
  const auto row = [](const std::string& gpu) {
    return "acme,a,8,61," + gpu + ",r,3.06,,USD,2026-11-02\n";
  };
  CHECK(only(row("A100,1,4000")) ==
        "2 AcceleratorMemoryGiB: 4000 GiB for one A100, but the most in aws.csv is 40: is this "
        "MiB, or the machine's memory?");
  CHECK(only(row("A100,1,200")).find("200 GiB for one A100, but the most in aws.csv is 40") !=
        std::string::npos);
  CHECK(only(row("A100,8,320")).find("looks like that of all 8 together") != std::string::npos);
  CHECK(only(row("A100,1,4")).find("4 GiB for one A100, but aws.csv says 40") != std::string::npos);
  CHECK(only(row("XYZ9,1,4000")).find("but no GPU has more than 288") != std::string::npos);
  CHECK(check(row("A100,8,40")).empty());
  CHECK(check(row("XYZ9,1,96")).empty());
}

TEST_CASE("check: a spot price of one region that is far below the others'") {
  const auto in = [](const char* region, const char* spot) {
    return fmt::format("acme,a,8,61,V100,1,16,{},3.06,{},USD,2026-11-02\n", region, spot);
  };
  const auto others = in("east", "1.00") + in("south", "0.90");
  CHECK(only(in("west", "0.25") + others) ==
        "2 spot: the spot price of 0.25 USD is 28% of the 0.9 that 2 other regions have in the "
        "middle: of one zone or one moment?");
  CHECK(check(in("west", "0.31") + others).empty());
  CHECK(check(in("west", "0.25") + in("east", "1.00")).empty());  // one may be the dear one
  const auto twice = check(in("west", "0.25") + in("east", "1.00") + in("east", "0.90"));
  CHECK(std::none_of(twice.begin(), twice.end(), [](const auto& issue) {
    return issue.text.find("other regions") != std::string::npos;
  }));
}

TEST_CASE("check: no region, more than any machine has, and spot for next to nothing") {
  CHECK(only("acme,a,8,61,,,,,3.06,,USD,2026-11-02\n") ==
        "2 Region: a: where it is sold is not said");
  CHECK(only("acme,a,4000,61,,,,r,3.06,,USD,2026-11-02\n") ==
        "2 vCPUs: 4000: no machine has so many");
  CHECK(only("acme,a,8,61,T4,1000,16,r,306,,USD,2026-11-02\n") ==
        "2 AcceleratorCount: 1000: of how many machines?");
  CHECK(only("acme,a,8,61,,,,r,3.06,0.0306,USD,2026-11-02\nacme,b,8,61,,,,r,3.06,0.03,USD,"
             "2026-11-02\n")
            .find("3 spot: 0.03 is less than a hundredth of the 3.06 on demand") == 0);
}

TEST_CASE("check: a machine without vCPUs or memory, and one with another's memory") {
  Offer none;
  none.provider = "acme";
  none.instance = "a";
  none.region = "r";
  none.vcpus = 0;
  none.memory_gib = 61;
  none.price_per_hour = Money::parse("3.06", "USD");
  none.as_of = "2026-11-02";
  const auto issues = check_offers(std::span(&none, 1), {"2026-11-21", 30, 90, nullptr});
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].field == "vCPUs");
  CHECK(only("aws,p3.2xlarge,8,488,V100,1,16,us-east-1,3.06,,USD,2026-11-02\n") ==
        "2 MemoryGiB: 488, but aws.csv says 61");
}

TEST_CASE("check: spot that is no spot, and a price of another period") {
  CHECK(only("acme,a,8,61,,,,r,3.06,3.06,USD,2026-11-02\n") ==
        "2 spot: 3.06 is not less than the 3.06 on demand: do not take it for a spot price");
  // 3.06 an hour by the month.
  CHECK(only("aws,p3.2xlarge,8,61,V100,1,16,us-east-1,2233.80,,USD,2026-11-02\n")
            .find("more than ten times the list price") != std::string::npos);
}

// Eight A100 are sold for some 10 to 40 dollars an hour: 0.03 is a typing mistake, 23924 a month.
TEST_CASE("check: a price beyond belief on a machine that no table lists") {
  for (const auto* price : {"0.03277", "23924"}) {
    CAPTURE(price);
    CHECK(only(std::string("acme,a,96,1152,A100,8,40,r,") + price + ",,USD,2026-11-02\n")
              .find("an hour for one A100, which is sold for") != std::string::npos);
  }
  CHECK(only("acme,a,96,1152,A100,1,40,r,1000,,USD,2026-11-02\n")
            .find("1000.00 is 1000 an hour for one A100") != std::string::npos);
  CHECK(only("acme,c,16,61,,,,r,740,,USD,2026-11-02\n").find("an hour for one vCPU") !=
        std::string::npos);
  CHECK(check("acme,a,96,1152,A100,8,40,r,14.5,,USD,2026-11-02\n").empty());
}

TEST_CASE("check: what is not stated, MiB for GiB, and money of no country") {
  CHECK(only("acme,a,,61,,,,r,3.06,,USD,2026-11-02\n").find("2 vCPUs: a: not stated") == 0);
  CHECK(only("acme,a,8,61440,,,,r,3.06,,USD,2026-11-02\n") == "2 MemoryGiB: 61440: is this MiB?");
  CHECK(only("acme,a,8,61,,,,r,3.06,,dollars,2026-11-02\n").find("2 Currency: \"dollars\"") == 0);
}

TEST_CASE("check: dates") {
  CHECK(days_between("2026-10-22", "2026-11-21") == 30);
  CHECK(days_between("2024-02-28", "2024-03-01") == 2);
  CHECK_FALSE(days_between("undated", "2026-11-21"));
  // A month or a year is as old as its last day, and of today while it lasts.
  CHECK(age_doubt("2017-07", "2026-11-21", 30, 90).starts_with("2017-07 is 3400 days ago"));
  CHECK(age_doubt("2026-02", "2026-03-10", 30, 90).empty());
  CHECK(age_doubt("2026-11", "2026-11-21", 30, 90).empty());
  CHECK(age_doubt("2026", "2026-11-21", 30, 90).empty());
  CHECK(age_doubt("2026-12", "2026-11-21", 30, 90) == "2026-12 is in the future");
  CHECK(age_doubt("2026-13", "2026-11-21", 30, 90).find("without a date") != std::string::npos);
  CHECK_FALSE(days_between("2026-13-01", "2026-11-21"));
}

TEST_CASE("check: a part of a GPU is the machine's of our tables, in its count and its memory") {
  CHECK(check("aws,g6f.large,2,8,L4,0.125,24,us-east-1,0.20,,USD,2026-11-02\n").empty());
  CHECK(check("aws,g6f.large,2,8,L4,0.125,2.79,us-east-1,0.20,,USD,2026-11-02\n").empty());
}

TEST_CASE("check: a price beyond belief is doubted in currencies that no table of ours has") {
  CHECK(only("acme,a,96,768,H100,8,80,r,0.60,,EUR,2026-11-02\n")
            .find("0.60 is 0.075 an hour for one H100, which is sold for") != std::string::npos);
  CHECK(only("acme,a,96,768,L4,1,24,r,950,,EUR,2026-11-02\n").find(" USD: is the unit") !=
        std::string::npos);
  CHECK(check("acme,a,96,768,H100,8,80,r,19.50,,EUR,2026-11-02\n").empty());
  CHECK(check("acme,a,96,768,H100,8,80,r,3000,,JPY,2026-11-02\n").empty());
}
