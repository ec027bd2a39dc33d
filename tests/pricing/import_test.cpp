// Every adapter on a small file in its format, written by hand and true to it.
#include "pricing/import/import.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "import_text.h"
#include "pricing/bill.h"
#include "pricing/offer_csv.h"
#include "support/approx.h"

using namespace rightsize;
using namespace std::chrono_literals;
using test::has_issue;
using test::import_text;
using test::options;

namespace {

ImportedTable import_file(const std::string& name, const ImportOptions& with = options()) {
  std::ifstream in(std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/pricing/tables/" + name);
  REQUIRE(in);
  return import_prices(in, name, with);
}

// "3.06 USD", or "none".
std::string price(const ImportedTable& table,
                  std::string_view instance,
                  std::string_view region,
                  Market market) {
  for (const auto& offer : table.offers) {
    if (offer.instance == instance && offer.region == region && offer.market == market) {
      return offer.price_per_hour.decimal() + " " + offer.price_per_hour.currency();
    }
  }
  return "none";
}

}  // namespace

TEST_CASE("import: AWS JSON keeps shared Linux machines, with the GPU its attributes do not name") {
  const auto table = import_file("aws.json");
  CHECK(table.format == "aws-json");
  CHECK(table.rows == 3);
  CHECK(table.left_out == 2);
  CHECK(price(table, "p3.2xlarge", "us-east-1", Market::on_demand) == "3.06 USD");
  CHECK(price(table, "p3.2xlarge", "us-east-1", Market::reserved_1y) == "2.088 USD");
  CHECK(price(table, "p3.2xlarge", "us-east-1", Market::reserved_3y) == "none");  // convertible
  REQUIRE(table.offers.size() == 2);
  const auto& offer = table.offers[0];
  CHECK(offer.gpu == "V100");
  CHECK(offer.gpus == 1);
  CHECK(offer.gpu_memory_gib == 16);
  CHECK(offer.memory_gib == 61);
  CHECK(offer.arch == "x86_64");
  CHECK(offer.as_of == "2017-11-12");
  CHECK(offer.book == "aws");
  CHECK(offer.line == 50);
}

TEST_CASE("import: an AWS reservation paid in part spreads its fee over the hours of its term") {
  auto with = options();
  with.payment = "partial upfront";
  // 1.00 an hour and 8760 at once: 8760 / 8760 h = 1.00 more an hour.
  const auto json = import_file("aws.json", with);
  CHECK(price(json, "p3.2xlarge", "us-east-1", Market::reserved_1y) == "2.00 USD");
  // 0.25 an hour and 2190 at once: 0.25 + 0.25.
  const auto csv = import_file("aws.csv", with);
  CHECK(price(csv, "p2.xlarge", "us-east-1", Market::reserved_1y) == "0.50 USD");
}

TEST_CASE("import: AWS CSV leaves out RHEL and unused capacity, and says the date") {
  const auto table = import_file("aws.csv");
  CHECK(table.format == "aws-csv");
  CHECK(price(table, "p2.xlarge", "us-east-1", Market::on_demand) == "0.90 USD");
  CHECK(price(table, "p2.xlarge", "us-east-1", Market::reserved_1y) == "0.614 USD");
  CHECK(table.offers.size() == 2);
  CHECK(table.offers[0].gpu == "K80");
  CHECK(table.offers[0].as_of == "2017-11-12");
}

TEST_CASE("import: Azure pages join shapes, tell spot by name and reservations by their term") {
  const auto table = import_file("azure.json");
  CHECK(table.format == "azure");
  CHECK(table.rows == 7);  // of two pages in one file
  CHECK(table.left_out == 1);
  const auto* instance = "Standard_NC24ads_A100_v4";
  CHECK(price(table, instance, "eastus", Market::on_demand) == "3.673 USD");
  CHECK(price(table, instance, "westus2", Market::on_demand) == "3.673 USD");
  CHECK(price(table, instance, "eastus", Market::spot) == "0.735 USD");  // 7.35E-01 in the file
  CHECK(price(table, instance, "eastus", Market::reserved_1y) == "2.00 USD");  // 17520 / 8760 h
  CHECK(table.offers[0].gpu == "A100-PCIe-80GB");
  CHECK(table.offers[0].vcpus == 24);
  CHECK(has_issue(table, 6, "0.0 is not a price anybody pays"));
  CHECK(has_issue(table, 7, "Standard_ZZ9: no table here says its vCPUs"));
}

// The machine has a reservation of a year only: the plan of a year stands back behind it, that of
// three years does not.
TEST_CASE("import: Azure's savings plans where there is no reservation, or in their place") {
  const auto* instance = "Standard_NC24ads_A100_v4";
  const auto table = import_file("azure.json");
  CHECK(price(table, instance, "eastus", Market::reserved_3y) == "1.50 USD");
  CHECK(table.offers.back().payment == "savings plan");
  CHECK(table.offers.back().vcpus == 24);
  CHECK(price(table, instance, "westus2", Market::reserved_3y) == "none");
  auto with = options();
  with.payment = "savings plan";
  const auto plans = import_file("azure.json", with);
  CHECK(price(plans, instance, "eastus", Market::reserved_1y) == "2.25 USD");
  CHECK(price(plans, instance, "eastus", Market::reserved_3y) == "1.50 USD");
  CHECK(price(plans, instance, "eastus", Market::on_demand) == "3.673 USD");
  CHECK(plans.left_out == 2);  // the reservation too

  // 73 h of a plan at $2.25 for which work is found 60 % of the time: 73 x 2.25 = $164.25, and its
  // share of the idle hours, 164.25 x 40 / 60 = $109.50; together $273.75.
  const auto found = std::find_if(plans.offers.begin(), plans.offers.end(), [](const Offer& offer) {
    return offer.market == Market::reserved_1y;
  });
  const BillingRule rule{"azure", "current", 1s, 60s, "assumed", ""};
  CHECK(bill(*found, 1, std::nullopt, 73h, rule, {60}).total == Money::parse("273.75", "USD"));
}

TEST_CASE("import: a GCP machine is the exact sum of its cores, GiB and GPUs") {
  const auto table = import_file("gcp.json");
  CHECK(table.format == "gcp");
  CHECK(table.left_out == 2);  // a commitment and a reservation at zero
  // 4 x 0.024988 + 16 x 0.002927 + 0.56004 = 0.706824
  CHECK(price(table, "g2-standard-4", "us-central1", Market::on_demand) == "0.706824 USD");
  CHECK(price(table, "g2-standard-4", "us-central1", Market::spot) == "none");
  CHECK(price(table, "a2-highgpu-1g", "us-central1", Market::on_demand) == "none");
  CHECK(table.offers[0].as_of == "2026-07-30");
}

TEST_CASE("import: gpuhunt's rows are one market each, with its own way to say A100 80 GB") {
  auto with = options();
  with.provider = "lambdalabs";
  with.as_of = "2026-10-01";
  const auto table = import_file("gpuhunt.csv", with);
  CHECK(table.format == "gpuhunt");
  REQUIRE(table.offers.size() == 4);
  CHECK(table.offers[1].gpu == "A100-80GB");
  CHECK(table.offers[1].gpu_memory_gib == 80);
  CHECK(table.offers[2].market == Market::spot);
  CHECK(table.offers[3].gpu.empty());
  CHECK(table.offers[3].price_per_hour == Money::parse("0.1", "USD"));
  CHECK(table.offers[0].provider == "lambdalabs");
  CHECK(table.offers[0].as_of == "2026-10-01");
}

TEST_CASE("import: of one thing at two prices the first is kept and the other noted") {
  const auto hunted = import_text(
      "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size\n"
      "g1,eu,2.00,8,64,1,A100,40,False,\n"
      "g1,eu,1.00,8,64,1,A100,40,False,\n"
      "g1,eu,2.00,8,64,1,A100,40,False,\n"
      "g1,eu,0.50,8,64,1,A100,40,True,\n"
      "g1,us,1.00,8,64,1,A100,40,False,\n");
  REQUIRE(hunted.offers.size() == 3);
  CHECK(hunted.offers[0].price_per_hour.decimal() == "2.00");
  CHECK(has_issue(hunted, 2, "g1 in eu at 2.00 USD, but line 3 sells the same at 1.00 USD"));
  CHECK(hunted.issue_count == 1);
  const std::string item = R"({"armSkuName": "Standard_NC4as_T4_v3", "armRegionName": "eastus",
    "meterName": "NC4as T4 v3", "productName": "Virtual Machines NCasT4_v3 Series", "type":
    "Consumption", "unitOfMeasure": "1 Hour", "isPrimaryMeterRegion": true, "currencyCode": "USD",
    "retailPrice": )";
  const auto azure = import_text("{\"BillingCurrency\": \"USD\", \"Items\": [" + item + "0.5},\n" +
                                 item + "0.7}]}");
  REQUIRE(azure.offers.size() == 1);
  CHECK(azure.offers[0].price_per_hour.decimal() == "0.50");
  CHECK(azure.issue_count == 1);
  CHECK(azure.issues[0].text.find("sells the same at 0.70 USD") != std::string::npos);
}

TEST_CASE("import: Vantage's GPU memory is of all GPUs, and an unfetched spot price is none") {
  const auto table = import_file("vantage.json");
  CHECK(table.format == "vantage");
  CHECK(price(table, "p3.16xlarge", "us-east-1", Market::on_demand) == "24.48 USD");
  CHECK(price(table, "p3.16xlarge", "us-east-1", Market::spot) == "none");
  CHECK(price(table, "p3.16xlarge", "us-east-1", Market::reserved_3y) == "10.655 USD");
  CHECK(price(table, "p3.16xlarge", "cn-north-1", Market::on_demand) == "277.984 CNY");
  CHECK(table.offers[0].gpu == "V100");
  CHECK(table.offers[0].gpu_memory_gib == 16);
  CHECK(has_issue(table, 16, "\"-Not Fetched-\" is no price"));
}

TEST_CASE("import: SkyPilot v5 merges zones, and a GPU without its machine is left out") {
  auto with = options();
  with.provider = "aws";
  const auto table = import_file("skypilot_v5.csv", with);
  CHECK(table.format == "skypilot");
  CHECK(price(table, "p4d.24xlarge", "us-east-1", Market::on_demand) == "32.7726 USD");
  CHECK(price(table, "p4d.24xlarge", "us-east-1", Market::spot) == "7.90 USD");
  CHECK(table.offers[0].gpu_memory_gib == 40);  // of one, although the total says the same
  CHECK(has_issue(table, 4, "99999999.000 is not a price anybody pays"));
  CHECK(has_issue(table, 5, "without the machine it is attached to"));
  CHECK(table.left_out == 1);
}

TEST_CASE("import: SkyPilot v8 in another order and spelling, with its slip of a unit") {
  const auto table = import_file("skypilot_v8.csv");
  CHECK_FALSE(table.offers[0].gpu_memory_gib.has_value());
  CHECK(has_issue(table, 2, "80 MiB for one GPU is a slip"));
  CHECK(table.offers[1].gpus == test::approx(0.125));
  CHECK(table.offers[1].arch == "x86_64");
  CHECK(table.offers.back().arch == "arm64");  // Grace, though nothing is said
}

TEST_CASE("import: what is written is read back, price by price") {
  auto table = import_file("vantage.json");
  const auto text = to_offer_csv(table.offers);
  const auto again = import_text(text);
  CHECK(again.format == "skypilot");
  REQUIRE(again.offers.size() == table.offers.size());
  for (std::size_t i = 0; i < again.offers.size(); ++i) {
    CHECK(again.offers[i].price_per_hour == table.offers[i].price_per_hour);
    CHECK(again.offers[i].market == table.offers[i].market);
    CHECK(again.offers[i].gpu_memory_gib == table.offers[i].gpu_memory_gib);
    CHECK(again.offers[i].payment == table.offers[i].payment);
  }
}

TEST_CASE("import: SkyPilot reads the catalogue written for it") {
  const auto catalog = shipped_catalog();
  std::vector<Offer> offers;
  for (const auto& offer : catalog.offers()) {
    if (offer.book == "current") {
      offers.push_back(offer);
    }
  }
  std::size_t left_out = 0;
  const auto text = to_skypilot_csv(offers, "aws", left_out);
  CHECK(left_out > 0);
  const auto again = import_text(text);
  CHECK(again.issue_count == 0);
  CHECK(again.offers.size() + left_out == offers.size());
  CHECK(price(again, "p3.2xlarge", "us-east-1", Market::on_demand) == "3.06 USD");
}

TEST_CASE("import: a document in one line is what it is in many") {
  std::ifstream in(std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/pricing/tables/aws.json");
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::erase(text, '\n');
  const auto table = import_text(text);
  CHECK(table.format == "aws-json");
  CHECK(table.offers.size() == import_file("aws.json").offers.size());
}
