// Amounts as people write them in campaign files and flags.
#include "profiler/campaign/units.h"

#include <doctest/doctest.h>

using namespace rightsize;

TEST_CASE("units: sizes, rates, times and ranges as people write them") {
  CHECK(parse_bytes("512MiB") == 512ULL << 20);
  CHECK(parse_bytes("1.5 GB") == 1500000000ULL);
  CHECK_FALSE(parse_bytes("512 potatoes").has_value());
  CHECK_FALSE(parse_bytes("-1").has_value());
  CHECK_FALSE(parse_bytes("").has_value());
  CHECK(parse_bytes_per_s("40MB/s") == 40e6);
  CHECK(parse_seconds("2min") == 120);
  CHECK(parse_seconds("10m") == 600);
  CHECK(parse_seconds("1d") == 86400);
  CHECK(parse_seconds("250ms") == 0.25);
  CHECK(parse_range("1:16:x2") == std::vector<double>{1, 2, 4, 8, 16});
  CHECK(parse_range("2:8:+3") == std::vector<double>{2, 5, 8});
  CHECK(parse_range("0.1:0.5:+0.1") == std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5});
  CHECK(parse_range("900000001:900000003:+1") ==
        std::vector<double>{900'000'001, 900'000'002, 900'000'003});
  CHECK_FALSE(parse_range("1:16:x1").has_value());
  CHECK_FALSE(parse_range("16:1:x2").has_value());
  CHECK_FALSE(parse_range("1:1e9:+1").has_value());
  CHECK_FALSE(parse_range("0:8:x2").has_value());
}
