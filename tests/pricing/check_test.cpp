#include "pricing/check.h"

#include <sstream>

#include <doctest/doctest.h>

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
  CHECK(only("acme,a,8,61,,,,r,3.06,,USD,2027-01-01\n").find("in the future") != std::string::npos);
}

TEST_CASE("check: memory of all GPUs as that of one, and a wrong number of GPUs") {
  CHECK(only("aws,p3.16xlarge,64,488,V100,8,128,us-east-1,24.48,,USD,2026-11-02\n")
            .find("2 AcceleratorMemoryGiB: 128 GiB for one V100: this looks like that of all 8") ==
        0);
  CHECK(only("azure,Standard_ND96isr_H100_v5,96,1900,H100,12,80,eastus,98.32,,USD,2026-11-02\n")
            .find("2 AcceleratorCount: 12, but azure.csv says 8") == 0);
}

TEST_CASE("check: spot that is no spot, and a price of another period") {
  CHECK(only("acme,a,8,61,,,,r,3.06,3.06,USD,2026-11-02\n") ==
        "2 spot: 3.06 is not less than the 3.06 on demand: do not take it for a spot price");
  // 3.06 an hour by the month.
  CHECK(only("aws,p3.2xlarge,8,61,V100,1,16,us-east-1,2233.80,,USD,2026-11-02\n")
            .find("more than ten times the list price") != std::string::npos);
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
  CHECK_FALSE(days_between("2026-13-01", "2026-11-21"));
}
