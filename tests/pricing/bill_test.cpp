#include "pricing/bill.h"

#include <doctest/doctest.h>

#include "support/approx.h"

using namespace rightsize;
using namespace std::chrono_literals;

namespace {

const BillingRule per_second{"aws", "current", 1s, 60s, "assumed", ""};
const BillingRule per_hour{"aws", "until-2017-09", 3600s, 3600s, "assumed", ""};

Offer p3() {
  Offer offer;
  offer.provider = "aws";
  offer.instance = "p3.2xlarge";
  offer.price_per_hour = Money::parse("3.06", "USD");
  return offer;
}

VolumeClass efficiency_disk() {
  VolumeClass volume;
  volume.provider = "alibaba";
  volume.name = "cloud_efficiency";
  volume.mbps_base = 50;
  volume.mbps_per_gib = 0.1;
  volume.mbps_max = 80;
  volume.iops_base = 1000;
  volume.iops_per_gib = 6;
  volume.iops_max = 3000;
  volume.min_gib = 20;
  volume.max_gib = 32768;
  volume.price_per_gib_month = Money::parse("0.35", "USD");
  return volume;
}

}  // namespace

TEST_CASE("billing: an hourly rule rounds up and a per-second rule has its minimum") {
  CHECK(billed_time(per_hour, 3601s) == 7200s);
  CHECK(billed_time(per_hour, 3600s) == 3600s);
  CHECK(billed_time(per_second, 10s) == 60s);
  CHECK(billed_time(per_second, 61s) == 61s);
}

TEST_CASE("bill: the lines add up to the total, by hand") {
  const auto disk = efficiency_disk();
  const auto result = bill(p3(), 2, VolumeChoice{&disk, 300}, 36'500s, per_second);
  // 2 machines x 36500 s x 3.06/h = 62.05; 2 x 300 GiB x 0.35 x 36500 / (730 x 3600) = 2.916...
  REQUIRE(result.lines.size() == 2);
  CHECK(result.lines[0].amount == Money::parse("62.05", "USD"));
  CHECK(result.lines[1].amount == Money::parse("2.916666667", "USD"));
  CHECK(result.total == Money::parse("64.966666667", "USD"));
}

TEST_CASE("bill: a disk without a published price is not free") {
  auto disk = efficiency_disk();
  disk.price_per_gib_month.reset();
  CHECK_THROWS_WITH(static_cast<void>(bill(p3(), 1, VolumeChoice{&disk, 300}, 60s, per_second)),
                    doctest::Contains("its price is not in the tables"));
}

TEST_CASE("volume: the formula of the founding report's efficiency disk") {
  const auto disk = efficiency_disk();
  CHECK(performance(disk, 100).bytes_per_s == test::approx(60e6));
  CHECK(performance(disk, 1000).bytes_per_s == test::approx(80e6));
  CHECK(performance(disk, 100).iops == test::approx(1600));
}

TEST_CASE("volume: a class with a floor never gives less than it") {
  auto gp2 = efficiency_disk();
  gp2.iops_floor = 100;
  gp2.iops_base = 0;
  gp2.iops_per_gib = 3;
  gp2.iops_max = 16000;
  CHECK(performance(gp2, 20).iops == test::approx(100));
  CHECK(performance(gp2, 151).iops == test::approx(453));
}

TEST_CASE("volume: the size is big enough and fast enough, or there is none") {
  const auto disk = efficiency_disk();
  const double gib = 1024.0 * 1024 * 1024;
  CHECK(smallest_size_gib(disk, 240 * gib, 0) == 240);
  CHECK(smallest_size_gib(disk, 10 * gib, 70e6) == 200);  // 50 + 0.1 x 200 = 70 MB/s
  CHECK_FALSE(smallest_size_gib(disk, 10 * gib, 90e6));
  CHECK_FALSE(smallest_size_gib(disk, 40'000 * gib, 0));
}
