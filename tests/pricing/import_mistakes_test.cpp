// What an import leaves out of a file, notes of it, or refuses.
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "import_text.h"
#include "pricing/import/import.h"

using namespace rightsize;
using test::has_issue;
using test::import_text;
using test::options;

TEST_CASE("import: a column that seems to be a price and is not read is noted") {
  std::istringstream in(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,Gpu Count,Region,Price,Spot Price,"
      "MonthlyCost,Owner\nacme,a,8,64,T4,1,r,2,1,700,me\n");
  const auto table = import_prices(in, "acme.csv", options());
  std::vector<std::string> unread;
  for (const auto& issue : table.issues) {
    if (issue.field == unread_column) {
      CHECK(issue.line == 1);
      unread.push_back(issue.text.substr(0, issue.text.find(':')));
    }
  }
  CHECK(unread == std::vector<std::string>{"\"Gpu Count\" is not read",
                                           "\"Spot Price\" is not read",
                                           "\"MonthlyCost\" is not read"});
  std::istringstream typed(
      "Provider,InstanceType,vCPUs,MemoryGiB,Region,Price,local_disk_gib,Acelerator "
      "Name,Generation\n"
      "acme,a,8,64,r,2,100,T4,5\n");
  std::vector<std::string> meant;
  for (const auto& issue : import_prices(typed, "acme.csv", options()).issues) {
    meant.push_back(issue.text);
  }
  CHECK(meant ==
        std::vector<std::string>{"\"local_disk_gib\" is not read: did you mean LocalDiskGiB?",
                                 "\"Acelerator Name\" is not read: did you mean AcceleratorName?"});
  std::istringstream nameless("InstanceType,vCPUs,memory_gib,Region,Price\na,8,64,r,2\n");
  CHECK_THROWS_WITH_AS(import_prices(nameless, "acme.csv", options()),
                       doctest::Contains("acme.csv:1: there is no column \"MemoryGiB\"; "
                                         "\"memory_gib\" is there: is that meant?"),
                       PricingError);
  std::istringstream tabs("InstanceType\tvCPUs\tMemoryGiB\tRegion\tPrice\na\t8\t64\tr\t2\n");
  CHECK_THROWS_WITH_AS(import_prices(tabs, "acme.csv", options()),
                       doctest::Contains("separated by tabs: use commas"),
                       PricingError);
}

TEST_CASE("import: nothing of something is not stated, and said") {
  const auto table = import_text(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,"
      "AcceleratorMemoryGiB,Region,Price\n"
      "acme,a,0,0,A100,0,0,r,1\n"
      "acme,b,-4,9223372036854775794,,,,r,1\n"
      "acme,c,N/A,61,,,,r,1\n");
  REQUIRE(table.offers.size() == 3);
  for (const auto& offer : table.offers) {
    CHECK_FALSE(offer.vcpus);
    CHECK_FALSE(offer.gpu_memory_gib);
    CHECK(offer.gpus == 0);
  }
  CHECK(has_issue(table, 2, "0: taken as not stated"));
  CHECK(has_issue(table, 3, "-4: taken as not stated"));
  CHECK(has_issue(table, 3, "9223372036854775794: taken as not stated"));
  CHECK(has_issue(table, 4, "N/A: taken as not stated"));
  CHECK_FALSE(table.offers[0].memory_gib);
  CHECK_FALSE(table.offers[1].memory_gib);
  CHECK(table.offers[2].memory_gib == 61);
}

TEST_CASE("import: prices too large to hold are listed one by one, none stops the reading") {
  const auto table = import_text(
      "InstanceType,vCPUs,MemoryGiB,Region,Price,SpotPrice\n"
      "a,4,16,r,99999999999999,\n"
      "b,4,16,r,1,99999999999999999999999999999999999999\n"
      "c,4,16,r,1e400,1e-30\n"
      "d,4,16,r,2,1\n");
  CHECK(has_issue(table, 2, "99999999999999 is not a price anybody pays"));
  CHECK(has_issue(table, 3, "is not a price anybody pays"));
  CHECK(has_issue(table, 4, "1e400 is not a price anybody pays"));
  CHECK(has_issue(table, 4, "1e-30 is not a price anybody pays"));
  CHECK(table.issue_count == 4);
  CHECK(table.offers.size() == 3);
  CHECK(table.unpriced == 0);  // each was said
  const auto sku = import_text(
      "{\"skus\": [{\"description\": \"N1 Predefined Instance Core running in Americas\",\n"
      "\"category\": {\"usageType\": \"OnDemand\"}, \"serviceRegions\": [\"us\"],\n"
      "\"pricingInfo\": [{\"pricingExpression\": {\"tieredRates\": [{\"unitPrice\":\n"
      "{\"units\": \"99999999999999\", \"nanos\": 0}}]}}]}]}");
  CHECK(has_issue(sku, 1, "99999999999999 is not a price anybody pays"));
}

TEST_CASE("import: rows without any price are counted") {
  const auto table = import_text(
      "InstanceType,vCPUs,MemoryGiB,Region,Price,SpotPrice\n"
      "a,4,16,r,,\nb,4,16,r,,1\nc,4,16,r,,\n");
  CHECK(table.offers.size() == 1);
  CHECK(table.unpriced == 2);
  CHECK(table.first_unpriced == 2);
  CHECK(table.issue_count == 0);
  const auto hunted = import_text("instance_name,location,price,spot\nm,r,1,False\nn,r,,False\n");
  CHECK(hunted.unpriced == 1);
  CHECK(hunted.first_unpriced == 3);
  const auto azure = import_text(
      "{\"Items\": [{\"armSkuName\": \"Standard_A\", \"unitOfMeasure\": \"1 Hour\",\n"
      "\"type\": \"Consumption\"}]}");
  CHECK(azure.unpriced == 1);
  const auto aws = import_text(
      "{\"offerCode\": \"AmazonEC2\", \"products\": {\"A\": {\"attributes\": {\n"
      "\"instanceType\": \"m5.large\", \"operatingSystem\": \"Linux\",\n"
      "\"tenancy\": \"Shared\"}}}, \"terms\": {\"OnDemand\": {}}}");
  CHECK(aws.unpriced == 1);
  const auto vantage = import_text("[{\"instance_type\": \"m5.large\", \"pricing\": {}}]");
  CHECK(vantage.unpriced == 1);
}

TEST_CASE("import: broken files name the file, the line and the field") {
  const auto refused = [](const std::string& text, const std::string& says) {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(import_text(text)), doctest::Contains(says.c_str()), PricingError);
  };
  refused("", "theirs: the file is empty");
  refused("hello\n", "theirs: this is no price table known here");
  refused("{\"offerCode\": \"AmazonEC2\",\n \"products\": {\"a\": }}",
          "theirs:2: this is not JSON");
  refused("{\"offerCode\": \"AmazonEC2\", \"products\": {",
          "theirs:1: this is not JSON: incomplete");
  refused("{\"offerCode\": \"x\", \"terms\": {\"OnDemand\": {\"A\": {}}}}",
          "the terms stand before the products");
  refused("instance_name,location,price,spot\nm,r,cheap,False\n", "theirs:2: price: \"cheap\"");
  refused("[[offer]]\nprovider = \"aws\"\ninstance = \"m\"\nregion = \"r\"\nprice = 3.5\n",
          "theirs:5: price: expected text in quotes");
  refused("[[offer]]\nprovider = [\n", "theirs:2:14: this is not TOML");
  refused("[[discount]]\nprovider = \"aws\"\npercent = \"120\"\n", "more than 0");
  refused(
      "{\"Items\": [{\"armSkuName\": \"Standard_A\", \"unitOfMeasure\": \"1 Hour\",\n"
      "\"type\": \"Consumption\", \"retailPrice\": \"cheap\"}]}",
      "theirs:1: retailPrice: \"cheap\"");
}

TEST_CASE("import: JSON nested a thousand deep is refused, not followed") {
  CHECK_THROWS_AS(static_cast<void>(import_text("{\"skus\": " + std::string(1000, '['), "gcp")),
                  PricingError);
}
