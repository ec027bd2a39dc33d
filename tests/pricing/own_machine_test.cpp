// Machines with a price of several parts: of one's own, and cut to measure.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "pricing/bill.h"
#include "pricing/catalog.h"
#include "pricing/custom_shape.h"
#include "pricing/on_prem.h"

using namespace rightsize;
using namespace std::chrono_literals;

TEST_CASE("on-prem: the purchase over the hours of use, and the power") {
  const auto offer = on_prem_offer(
      "gpu=A100:8,price=175200USD,years=4,power=6.5kW,kwh=0.15,utilisation=50%,vcpus=128,"
      "memory=1024GiB");
  // 175200 / (4 x 8760 h) = 5 an hour, at half use 10; 6.5 kW x 0.15 = 0.975.
  REQUIRE(offer.parts.size() == 2);
  CHECK(offer.parts[0].per_hour == Money::parse("10", "USD"));
  CHECK(offer.parts[1].per_hour == Money::parse("0.975", "USD"));
  CHECK(offer.price_per_hour == Money::parse("10.975", "USD"));
  CHECK(offer.gpus == 8);
  CHECK(offer.vcpus == 128);
  CHECK_FALSE(offer.local_disk_gib.has_value());
  const auto catalog = shipped_catalog();
  const auto result = bill(offer, 1, std::nullopt, 1s, catalog.billing(offer.provider, offer.book));
  REQUIRE(result.lines.size() == 2);
  CHECK(result.lines[0].amount + result.lines[1].amount == result.total);
  CHECK(result.total == Money::parse("0.003048611", "USD"));  // 10.975 / 3600
}

TEST_CASE("on-prem: what is always on takes every hour") {
  const auto* text = "gpu=A100:8,price=175200USD,years=4,power=6.5kW,kwh=0.15,utilisation=50%";
  const auto offer = on_prem_offer(text, true);
  CHECK(offer.parts[0].per_hour == Money::parse("5", "USD"));
  CHECK(offer.parts[0].what.find("at 100 % use, as a service takes all hours") !=
        std::string::npos);
  CHECK(on_prem_offer(text).parts[0].what.find("at 50 % use") != std::string::npos);
}

TEST_CASE("on-prem: how many there are") {
  const std::string text = "gpu=A100:8,price=175200USD,years=4,power=6.5kW,kwh=0.15";
  CHECK_FALSE(on_prem_offer(text).count.has_value());
  CHECK(on_prem_offer(text + ",count=4").count == 4);
  for (const auto* count : {"0", "2.5", "-1", "many", "1000000"}) {
    CAPTURE(count);
    CHECK_THROWS_WITH_AS(static_cast<void>(on_prem_offer(text + ",count=" + count)),
                         doctest::Contains("such as count=4"),
                         PricingError);
  }
}

// 5 an hour of the purchase, used or not, and 0.975 of power while it works.
TEST_CASE("on-prem: the runs of a month bear the hours without work of what is bought") {
  const std::string text = "gpu=A100:8,price=175200USD,years=4,power=6.5kW,kwh=0.15";
  const BillingRule by_the_second;
  const auto total = [&](const Offer& offer, std::optional<double> runs) {
    const BillTerms terms{std::nullopt, std::nullopt, runs};
    const auto billed = bill(offer, 1, std::nullopt, 73h, by_the_second, terms);
    CHECK(bill_total(offer, 1, std::nullopt, 73h, by_the_second, terms) == billed.total);
    return billed;
  };
  const auto unsaid = on_prem_offer(text);
  // 2 x 73 h of a month of 730 h: each run bears 365 h.
  const auto twice = total(unsaid, 2);
  CHECK(twice.total == Money::parse("1896.175", "USD"));  // 365 x 5 + 73 x 0.975
  REQUIRE(twice.lines.size() == 3);
  CHECK(twice.lines[2].kind == BillLine::Kind::reservation);
  CHECK(twice.lines[2].what == "idle share of the purchase (20 % used by 2 runs a month)");
  CHECK(twice.lines[2].amount == Money::parse("1460", "USD"));       // 292 x 5
  CHECK(total(unsaid, 10).total == Money::parse("436.175", "USD"));  // all hours used
  CHECK(total(unsaid, std::nullopt).total == total(unsaid, 10).total);
  // A utilisation that is said is of all its work, and goes before the runs.
  const auto said = on_prem_offer(text + ",utilisation=50%");
  CHECK(total(said, 2).total == Money::parse("801.175", "USD"));  // 73 x 10.975
  CHECK(total(on_prem_offer(text, true), 2).total == Money::parse("436.175", "USD"));
}

TEST_CASE("on-prem: a price without a currency is in USD, and the source says so") {
  const auto offer = on_prem_offer("price=90000,years=4,power=1kW,kwh=0.1");
  CHECK(offer.price_per_hour.currency() == "USD");
  CHECK(offer.source == own_figures_in_dollars);
  CHECK(offer.parts[0].what == "purchase of 90000 USD over all hours of 4 years");
  CHECK(on_prem_offer("price=90000EUR,years=4,power=1kW,kwh=0.1").source == "your own figures");
}

TEST_CASE(
    "on-prem: money is read as people write it, and a kWh is paid in the machine's currency") {
  const auto with = [](const std::string& price, const std::string& kwh) {
    return on_prem_offer("price=" + price + ",years=4,power=1kW,kwh=" + kwh);
  };
  const auto expected = with("90000EUR", "0.22");
  CHECK(expected.parts[1].per_hour == Money::parse("0.22", "EUR"));
  for (const auto* kwh :
       {"0.22EUR", "0.22 EUR", "EUR0.22", "EUR 0.22", "0.22EUR/kWh", "0.22/kWh"}) {
    CAPTURE(kwh);
    CHECK(with("EUR 90000", kwh).price_per_hour == expected.price_per_hour);
    CHECK(with("90000 EUR", kwh).parts[1].what == "power: 1 kW at 0.22 a kWh");
  }
  const auto refused = [&](const std::string& price, const std::string& kwh, const char* says) {
    CAPTURE(kwh);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(with(price, kwh)), doctest::Contains(says), PricingError);
  };
  refused("90000USD", "0.22EUR", "in USD, as the machine's: kwh=0.15 or kwh=0.15USD");
  refused("90000", "0.22EUR", "; or price=90000EUR where both are");
  refused("90000EUR", "0.22eur", "kwh=0.15, or kwh=0.15EUR");
  refused("90000EUR", "cheap", "kwh=0.15, or kwh=0.15EUR");
  refused("90000EUR", "EUR", "kwh=0.15: the price of one kWh");
  refused("90000EUR", "0", "kwh=0.15: the price of one kWh");
}

TEST_CASE("on-prem: another currency, and a mistake is named") {
  CHECK(on_prem_offer("price=90000EUR,years=3.5,power=1kW,kwh=0.30").price_per_hour.currency() ==
        "EUR");
  const auto refused = [](const char* text, const char* says) {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(on_prem_offer(text)), doctest::Contains(says), PricingError);
  };
  refused("gpu=A100:8", "price, years, power, kwh are missing: expected a machine such as \"gpu=");
  refused("price=90000USD,years=3,kwh=0.1", "power is missing: expected a machine such as");
  refused("price=90000USD,years=3,power=6500,kwh=0.1", "power=6.5kW");
  refused("price=90000dollars,years=3,power=1kW,kwh=0.1", "an amount with its currency");
  refused("price=90000USD,years=0,power=1kW,kwh=0.1", "years=4");
  refused("price=90000USD,years=3,power=1kW,kwh=0.1,utilisation=120%", "at most 100 %");
  refused("cost=90000USD", "there are gpu, price");
  refused("gpu=A100:8,price=90000USD,years=3,power=1kW,kwh=0.1,gpu=T4:1", "it is there twice");
}

TEST_CASE("custom shapes: a price per vCPU and GiB, within the family's limits") {
  const auto families = shipped_custom_families();
  REQUIRE(families.size() == 28);  // three regions, on demand and spot, without GPU and with each
  const auto& family = families[0];
  const auto offer = custom_offer(family, 4, 26 * 1024);
  REQUIRE(offer);
  CHECK(offer->instance == "custom-4-26624");
  CHECK(offer->price_per_hour == family.per_vcpu.times(4) + family.per_gib.times(26));
  CHECK_FALSE(custom_offer(family, 3, 8 * 1024));   // an odd number
  CHECK_FALSE(custom_offer(family, 4, 27 * 1024));  // more than 6.5 GiB a vCPU
  CHECK_FALSE(custom_offer(family, 4, 8 * 1024 + 100));
  CHECK_FALSE(custom_offer(family, 0, 1024));
  CHECK_FALSE(custom_offer(family, 4, 26 * 1024, 1));  // of a family without GPUs
  CHECK(custom_offers(family).size() == 40);
}

// GCE: 4 vCPUs x $0.03319155 + 26 GiB x $0.004446 + 1 T4 x $0.35 = $0.5983622 an hour.
TEST_CASE("custom shapes: with GPUs, as many as the machine takes, beside at most so many vCPUs") {
  const auto families = shipped_custom_families();
  const auto found = std::find_if(families.begin(), families.end(), [](const auto& family) {
    return family.region == "us-central1" && family.gpu == "T4" &&
           family.market == Market::on_demand;
  });
  REQUIRE(found != families.end());
  const auto offer = custom_offer(*found, 4, 26 * 1024, 1);
  REQUIRE(offer);
  CHECK(offer->instance == "custom-4-26624+1xT4");
  CHECK(offer->gpus == 1);
  CHECK(offer->price_per_hour == Money::parse("0.5983622", "USD"));
  REQUIRE(offer->parts.size() == 3);
  CHECK(offer->parts[2].what == "1 T4");
  CHECK_FALSE(custom_offer(*found, 4, 26 * 1024, 0));
  CHECK_FALSE(custom_offer(*found, 4, 26 * 1024, 3));
  CHECK_FALSE(custom_offer(*found, 64, 128 * 1024, 1));  // 48 vCPUs beside one T4
  CHECK(custom_offer(*found, 64, 128 * 1024, 4));
}

TEST_CASE("custom shapes: a table of one's own, and what is wrong with it") {
  const std::string head =
      "Provider,Family,Region,MinGiBPerVcpu,MaxGiBPerVcpu,MaxVcpus,VcpuPrice,GiBPrice,Gpu,"
      "GpuMemoryGiB,GpuVcpus,GpuPrice,Currency,Book\n";
  const auto of = [&](const std::string& row) {
    return parse_custom_families(head + row, "u.csv");
  };
  // Alibaba's ratio: 1 GPU to at most 14 vCPUs and 7.5 GiB for each of them.
  const auto own = of("mine,cut,cn-1,1,7.5,56,0.2,0.03,P100,16,1:14 2:28 4:56,7.5,CNY,current\n");
  REQUIRE(own.size() == 1);
  CHECK(custom_offer(own[0], 4, 30 * 1024, 1)->price_per_hour == Money::parse("9.2", "CNY"));
  CHECK_THROWS_WITH(
      static_cast<void>(of("mine,cut,cn-1,1,7.5,56,0.2,0.03,P100,16,one,7.5,CNY,current\n")),
      doctest::Contains("u.csv:2: GpuVcpus = \"one\": expected GPUs:vCPUs"));
  CHECK_THROWS_WITH(static_cast<void>(of("mine,cut,cn-1,1,7.5,,0.2,0.03,,,,,CNY,current\n")),
                    doctest::Contains("u.csv:2: MaxVcpus = \"\""));
  CHECK_THROWS_WITH(static_cast<void>(of("mine,cut,cn-1,8,7.5,56,0.2,0.03,,,,,CNY,current\n")),
                    doctest::Contains("u.csv:2: MinGiBPerVcpu = \"8\""));
  CHECK_THROWS_WITH(static_cast<void>(of("mine,cut,cn-1,1,7.5,56,,0.03,,,,,CNY,current\n")),
                    doctest::Contains("u.csv:2: no price: expected VcpuPrice and GiBPrice"));
  CHECK_THROWS_WITH(static_cast<void>(of("mine,cut,cn-1,1,7.5,56,0.2\n")),
                    doctest::Contains("u.csv:2: 7 fields, the header has 14"));
  CHECK_THROWS_WITH(static_cast<void>(of("")), doctest::Contains("nothing is priced"));
  for (const std::string price : {"-0.02", "0", "nan", "1e300", "abc"}) {
    CAPTURE(price);
    CHECK_THROWS_WITH(static_cast<void>(of("mine,cut,cn-1,1,7.5,56,0.2,0.03,P100,16,1:14," + price +
                                           ",CNY,current\n")),
                      doctest::Contains("u.csv:2: GpuPrice"));
  }
  CHECK(custom_offer(own[0], 4, 30 * 1024, 1)->table == "u.csv");
  CHECK(custom_offer(own[0], 4, 30 * 1024, 1)->line == 2);
  CHECK(smallest_custom_offer(own[0]).instance == "cut-1-1024+1xP100");
  CHECK(is_custom_table(head));
  CHECK_FALSE(is_custom_table("InstanceType,vCPUs,MemoryGiB,Region,Price\nVcpuPrice,GiBPrice"));
}
