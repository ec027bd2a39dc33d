// What is sold on either side of a size: of one generation, and paid for in the same way.
#include "advisor/suppose/sizes.h"

#include <string>

#include <doctest/doctest.h>

#include "support/made_catalog.h"

using namespace rightsize;

namespace {

constexpr const char* columns =
    "Provider,InstanceType,vCPUs,MemoryGiB,Region,Price,MonthlyPrice,Currency,Arch,Book,AsOf,"
    "Source";
constexpr const char* rest = "USD,x86_64,current,2026-01-01,test\n";

std::string row(const std::string& name, int vcpus, const std::string& prices) {
  return "acme," + name + "," + std::to_string(vcpus) + ",64,here," + prices + "," + rest;
}

// The names and hourly prices of what is sold below and above so many vCPUs, for the offer `at`.
std::string around(const std::string& rows, double vcpus, std::size_t at = 0) {
  const auto world = test::knowledge_of(columns, rows);
  const auto sizes = sizes_around(world.catalog, world.catalog.offers()[at], &Offer::vcpus, vcpus);
  REQUIRE(sizes.known());
  const auto told = [](const Offer& offer) {
    return offer.instance + " " + offer.price_per_hour.decimal();
  };
  return told(*sizes.below) + ", " + told(*sizes.above);
}

}  // namespace

TEST_CASE("sizes: another generation before the dash is another family") {
  CHECK(around(row("n1-cpu-16", 16, "0.60,") + row("n2-cpu-16", 20, "0.50,") +
                   row("n2-cpu-32", 30, "1.00,") + row("n1-cpu-32", 32, "1.20,"),
               24) == "n1-cpu-16 0.60, n1-cpu-32 1.20");
  CHECK(around(row("Standard_NC8ads_v4", 8, "1.00,") + row("Standard_NC16ads_v4", 16, "1.90,"),
               12) == "Standard_NC8ads_v4 1.00, Standard_NC16ads_v4 1.90");
}

TEST_CASE("sizes: a month's price is not between hours'") {
  CHECK(
      around(row("v.small", 8, "1.00,") + row("v.middle", 16, ",73") + row("v.large", 32, "4.00,"),
             16) == "v.small 1.00, v.large 4.00");
  CHECK(around(row("v.small", 8, ",73") + row("v.middle", 16, "9.00,") + row("v.large", 32, ",730"),
               16) == "v.small 0.10, v.large 1.00");
}

TEST_CASE("sizes: of two of one size it is the machine itself") {
  const auto itself = row("v.self", 8, "1.00,");
  const auto equal = row("v.equal", 8, "7.00,");
  CHECK(around(itself + equal, 8, 0) == "v.self 1.00, v.self 1.00");
  CHECK(around(equal + itself, 8, 1) == "v.self 1.00, v.self 1.00");
}
