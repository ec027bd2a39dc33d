#include "pricing/volume.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "pricing/attaches.h"
#include "pricing/bill.h"
#include "pricing/catalog.h"
#include "support/approx.h"

using namespace rightsize;
using namespace std::chrono_literals;

namespace {

const VolumeClass& shipped(const Catalog& catalog, std::string_view name, std::string_view book) {
  for (const auto& volume : catalog.volumes()) {
    if (volume.name == name && volume.book == book) {
      return volume;
    }
  }
  FAIL("the shipped tables lack " << name);
  std::abort();
}

constexpr double gib = 1024.0 * 1024 * 1024;

}  // namespace

TEST_CASE("volume: gp2 has a step, and the size for 250 MB/s is where it is") {
  const auto catalog = shipped_catalog();
  const auto& gp2 = shipped(catalog, "gp2", "current");
  CHECK(performance(gp2, 333).bytes_per_s == test::approx(128e6));
  CHECK(performance(gp2, 334).bytes_per_s == test::approx(250e6));
  CHECK(smallest_size_gib(gp2, 100 * gib, 250e6) == 334);
  CHECK(smallest_size_gib(gp2, 100 * gib, 128e6) == 100);
  CHECK(smallest_size_gib(gp2, 500 * gib, 250e6) == 500);
  CHECK_FALSE(smallest_size_gib(gp2, 100 * gib, 251e6));
}

TEST_CASE("volume: io2 is as fast as the IOPS that are bought, and they are billed") {
  const auto catalog = shipped_catalog();
  const auto& io2 = shipped(catalog, "io2", "current");
  CHECK(speed_to_buy(io2, 100, 1000e6).iops == 4000);   // 0.25 MB/s each
  CHECK(speed_to_buy(io2, 100, 9000e6).iops == 16000);  // it gives 4000 MB/s at most
  CHECK(performance(io2, 100, {4000, 0}).bytes_per_s == test::approx(1000e6));
  CHECK(performance(io2, 100, {400, 0}).bytes_per_s == test::approx(100e6));
  CHECK(performance(io2, 100, {400, 0}).iops == test::approx(400));
  Offer offer;
  offer.price_per_hour = Money::parse("1", "USD");
  const BillingRule rule{"aws", "current", 1s, 60s, "assumed", ""};
  const auto result = bill(offer, 1, VolumeChoice{&io2, 100, {4000, 0}}, 73h, rule);
  REQUIRE(result.lines.size() == 3);
  CHECK(result.lines[1].amount == Money::parse("1.25", "USD"));  // 100 x 0.125 / 10
  CHECK(result.lines[2].amount == Money::parse("26", "USD"));    // 4000 x 0.065 / 10
  CHECK(result.total == Money::parse("100.25", "USD"));
}

// AWS gp3: 3000 IOPS and 125 MB/s with every volume; 500 GiB at 1000 MB/s for a tenth of a month:
// 500 x 0.08 = 40; 1000 IOPS more (0.25 MB/s each) x 0.005 = 5; 875 MB/s more x 0.04 = 35; 80 / 10.
TEST_CASE("volume: gp3 sells IOPS and throughput beyond what each volume has") {
  const auto catalog = shipped_catalog();
  const auto& gp3 = shipped(catalog, "gp3", "current");
  CHECK(performance(gp3, 500).bytes_per_s == test::approx(125e6));
  CHECK(performance(gp3, 500).iops == test::approx(3000));
  const auto slow = speed_to_buy(gp3, 500, 100e6);
  CHECK(slow.iops == 0);
  CHECK(slow.mbps == 0);
  const auto half = speed_to_buy(gp3, 500, 500e6);  // 3000 IOPS carry 750 MB/s
  CHECK(half.iops == 0);
  CHECK(half.mbps == 375);
  const auto fastest = speed_to_buy(gp3, 500, 5000e6);
  CHECK(fastest.iops == 5000);
  CHECK(fastest.mbps == 1875);
  const auto fast = speed_to_buy(gp3, 500, 1000e6);
  CHECK(fast.iops == 1000);
  CHECK(fast.mbps == 875);
  CHECK(performance(gp3, 500, fast).bytes_per_s == test::approx(1000e6));
  CHECK(performance(gp3, 500, {0, 875}).bytes_per_s == test::approx(750e6));
  Offer offer;
  offer.price_per_hour = Money::parse("1", "USD");
  const BillingRule rule{"aws", "current", 1s, 60s, "assumed", ""};
  const auto result = bill(offer, 1, VolumeChoice{&gp3, 500, fast}, 73h, rule);
  REQUIRE(result.lines.size() == 4);
  CHECK(result.lines[1].amount == Money::parse("4", "USD"));
  CHECK(result.lines[2].amount == Money::parse("0.5", "USD"));
  CHECK(result.lines[3].amount == Money::parse("3.5", "USD"));
  CHECK(result.total == Money::parse("81", "USD"));
  CHECK(bill_total(offer, 1, VolumeChoice{&gp3, 500, fast}, 73h, rule) == result.total);
}

// 100 kB each at 1000 MB/s are 10,000 requests a second, of which the bytes alone would buy 4000.
TEST_CASE(
    "volume: IOPS are bought for requests as well as for bytes, as many as the size may have") {
  const auto catalog = shipped_catalog();
  const auto& gp3 = shipped(catalog, "gp3", "current");
  const auto bought = speed_to_buy(gp3, 500, 1000e6, 10'000);
  CHECK(bought.iops == 7000);
  CHECK(bought.mbps == 875);
  CHECK(performance(gp3, 500, bought).iops == test::approx(10'000));
  CHECK(speed_to_buy(gp3, 500, 1000e6, 1e9).iops == 77'000);  // 80,000 is the class's most
  CHECK(speed_to_buy(gp3, 20, 1000e6, 1e9).iops == 7000);     // 500 for each GiB
  CHECK(performance(gp3, 20, {13'000, 0}).iops == test::approx(10'000));
  CHECK(performance(gp3, 1).iops == test::approx(3000));  // that come with every volume
  CHECK(speed_to_buy(shipped(catalog, "io2", "current"), 500, 0, 20'000).iops == 20'000);
}

TEST_CASE("volume: a new gp2 volume has requests saved up") {
  const auto catalog = shipped_catalog();
  const auto& gp2 = shipped(catalog, "gp2", "current");
  const auto small = performance(gp2, 100);
  CHECK(small.iops == test::approx(300));
  CHECK(small.burst_iops == test::approx(3000));
  CHECK(small.io_credits == test::approx(5.4e6));
  CHECK(performance(gp2, 1000).burst_iops == 0);  // it earns 3000 all the time
}

TEST_CASE("volume: a machine lets through no more than its cap") {
  const auto catalog = shipped_catalog();
  const auto& ssd = shipped(catalog, "pd-ssd", "current");
  const auto* a2 = catalog.disk_cap("gcp", "a2-highgpu-1g", "pd-ssd");
  REQUIRE(a2 != nullptr);
  // 240 + 0.48 x 4000 GiB = 2160, at most 1200 of the class, 800 MiB/s of the machine.
  CHECK(capped(performance(ssd, 4000), *a2).bytes_per_s == test::approx(838.861e6));
  CHECK(capped(performance(ssd, 4000), *a2).iops == test::approx(15000));
  const auto* p2 = catalog.disk_cap("aws", "p2.xlarge", "gp3");
  REQUIRE(p2 != nullptr);
  CHECK(p2->mbps == test::approx(93.75));
  // c5 of all sizes by one guide: its largest of 2017 is given what it is given today.
  double last = 0;
  for (const auto* size : {"large", "xlarge", "2xlarge", "4xlarge", "9xlarge", "18xlarge"}) {
    const auto* c5 = catalog.disk_cap("aws", std::string("c5.") + size, "gp3");
    REQUIRE(c5 != nullptr);
    CHECK(*c5->mbps > last);
    last = *c5->mbps;
  }
  CHECK(last == test::approx(2375));
  CHECK(catalog.disk_cap("gcp", "n1-standard-4", "pd-ssd") != nullptr);
  CHECK(catalog.disk_cap("nobody", "m", "gp3") == nullptr);
}

// AWS's guide: 1 GiB to 64 TiB of gp3, 4 GiB to 64 TiB of io2; gp2 and those of spindles end at 16.
TEST_CASE("volume: 20 TB fit on gp3 and io2, not on gp2") {
  const auto catalog = shipped_catalog();
  CHECK(smallest_size_gib(shipped(catalog, "gp3", "current"), 20e12, 0) == 18627);
  CHECK(smallest_size_gib(shipped(catalog, "io2", "current"), 20e12, 0) == 18627);
  CHECK_FALSE(smallest_size_gib(shipped(catalog, "gp2", "current"), 20e12, 0));
  CHECK_FALSE(smallest_size_gib(shipped(catalog, "gp3", "current"), 71e12, 0));
}

// 100 GiB: 3000 IOPS and 140 MiB/s come with it; 500 MiB/s need none more, at a quarter each, and
// 360 more: 100 x 0.08 + 360 x 0.04 = 22.4 a month.
TEST_CASE("volume: Hyperdisk sells speed, and machines that take nothing else are offered it") {
  const auto catalog = shipped_catalog();
  const auto& hyperdisk = shipped(catalog, "hyperdisk-balanced", "current");
  CHECK(performance(hyperdisk, 100).bytes_per_s == test::approx(140e6));
  CHECK(performance(hyperdisk, 100).iops == test::approx(3000));
  const auto fast = speed_to_buy(hyperdisk, 100, 500e6);
  CHECK(fast.iops == 0);
  CHECK(fast.mbps == 360);
  CHECK(performance(hyperdisk, 100, fast).bytes_per_s == test::approx(500e6));
  CHECK(most_iops(hyperdisk, 100) == test::approx(50000));
  for (const auto* instance :
       {"g4-standard-48", "c4-highmem-8", "n4-standard-2", "a4-highgpu-8g", "ct6e-standard-8t"}) {
    CHECK(attaches("gcp", instance, "hyperdisk-balanced"));
    CHECK_FALSE(attaches("gcp", instance, "pd-balanced"));
    CHECK(is_offered_with("gcp", instance, "hyperdisk-balanced"));
  }
  for (const auto* instance :
       {"a2-highgpu-1g", "g2-standard-4", "a3-highgpu-8g", "c3-standard-4"}) {
    CHECK(attaches("gcp", instance, "pd-balanced"));
    CHECK_FALSE(is_offered_with("gcp", instance, "hyperdisk-balanced"));
  }
  CHECK(attaches("aws", "g4dn.xlarge", "gp3"));
  CHECK(is_offered_with("gcp", "ct5p-hightpu-4t", "pd-balanced"));
  CHECK_FALSE(attaches("gcp", "ct5p-hightpu-4t", "pd-ssd"));
  CHECK_FALSE(attaches("gcp", "ct5lp-hightpu-8t", "hyperdisk-balanced"));
}

// What speed may be bought for a machine hangs on it. Those that no table knows are named here, and
// leave the list when one does.
TEST_CASE("volume: every machine with GPUs has a cap, or is one of those without a figure") {
  const auto catalog = shipped_catalog();
  const std::vector<std::string> unknown{
      "gcp/a3-highgpu-",  // gcpdiag's table of limits has neither A3
      "gcp/a3-megagpu-8g",
      "gcp/g4-standard-",  // nor G4, nor any Hyperdisk
      "gcp/K80 instance",  // a price of 2017 without its machine
      "aws/inf2.",         // of the neuron book: no copy of AWS's guide was found that has them
      "aws/trn1.",
      "aws/trn1n.",
      "gcp/ct5lp-hightpu-",  // of the tpu book: the table of limits has no TPU's host
      "gcp/ct5p-hightpu-",
      "gcp/ct6e-standard-",
  };
  std::set<std::string> met;
  for (const auto& offer : catalog.offers()) {
    if (offer.gpu.empty() || (offer.provider != "aws" && offer.provider != "gcp")) {
      continue;  // no other provider sells speed, or a class that a machine could hold back
    }
    const auto name = offer.provider + "/" + offer.instance;
    const auto listed = std::find_if(unknown.begin(), unknown.end(), [&](const auto& prefix) {
      return name.starts_with(prefix);
    });
    const auto* volume = offer.provider == "aws" ? "gp3"
                         : attaches(offer.provider, offer.instance, "pd-balanced")
                             ? "pd-balanced"
                             : "hyperdisk-balanced";
    const bool known = catalog.disk_cap(offer.provider, offer.instance, volume) != nullptr;
    CAPTURE(name);
    CHECK(known == (listed == unknown.end()));
    if (listed != unknown.end()) {
      met.insert(*listed);
    }
  }
  CHECK(met.size() == unknown.size());
  const auto* g6e = catalog.disk_cap("aws", "g6e.xlarge", "gp3");
  REQUIRE(g6e != nullptr);
  CHECK(g6e->mbps == test::approx(125));  // for ever; 625 for half an hour a day
  CHECK(g6e->iops == test::approx(4000));
}

// 1 TiB of st1 earns 40 MiB/s and gives 250, in requests of 1 MiB; its bucket holds 1 TiB, which is
// 1024 x 1024 of them. 2 TiB reach the class's 500 MiB/s, that is 524.288 MB/s. (AWS's guide.)
TEST_CASE("volume: the burst and the credits of st1 and sc1 grow with their size") {
  const auto catalog = shipped_catalog();
  const auto& st1 = shipped(catalog, "st1", "current");
  const auto tib = performance(st1, 1024);
  CHECK(tib.iops == test::approx(40));
  CHECK(tib.burst_iops == test::approx(250));
  CHECK(tib.io_credits == test::approx(1024 * 1024));
  CHECK(tib.request_bytes == 1024 * 1024);
  CHECK(tib.bytes_per_s == test::approx(250 * 1048576.0));
  CHECK(performance(st1, 4096).burst_iops == test::approx(500));
  CHECK(performance(st1, 4096).bytes_per_s == test::approx(500 * 1048576.0));
  CHECK(performance(st1, 12800).burst_iops == 0);  // 12.5 TiB earn 500 MiB/s all the time
  const auto& sc1 = shipped(catalog, "sc1", "current");
  CHECK(performance(sc1, 1024).iops == test::approx(12));
  CHECK(performance(sc1, 1024).burst_iops == test::approx(80));
  CHECK(performance(sc1, 16384).iops == test::approx(192));
  CHECK(smallest_size_gib(st1, 1e9, 0) == 125);
  CHECK(smallest_size_gib(st1, 1e9, 500e6) == 1954);  // 500 / 0.256 MB/s per GiB, rounded up
  CHECK_FALSE(smallest_size_gib(sc1, 1e9, 500e6).has_value());
}

// 73 h of 500 GiB are a tenth of a month: st1 500 x $0.045 / 10 = $2.25, sc1 500 x $0.015 / 10 =
// $0.75.
TEST_CASE("volume: the bill of st1 and sc1") {
  const auto catalog = shipped_catalog();
  Offer offer;
  offer.price_per_hour = Money::parse("1", "USD");
  const BillingRule rule{"aws", "current", 1s, 60s, "assumed", ""};
  for (const auto& [name, total] : {std::pair{"st1", "75.25"}, std::pair{"sc1", "73.75"}}) {
    const VolumeChoice disk{&shipped(catalog, name, "current"), 500, {}};
    CHECK(bill(offer, 1, disk, 73h, rule).total == Money::parse(total, "USD"));
  }
}
