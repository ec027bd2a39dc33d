// What people suppose of an instance, in their words.
#include "advisor/suppose/supposition.h"

#include <doctest/doctest.h>

#include "advisor/query/usage_error.h"
#include "support/approx.h"

using namespace rightsize;

TEST_CASE("supposition: a number is set, moved, multiplied or changed by a share") {
  CHECK(Change::parse("vcpus", "24").of(16.0) == 24);
  CHECK(parse_supposition({"cpus=24"}).vcpus->of(16.0) == 24);
  CHECK(Change::parse("vcpus", "+8").of(16.0) == 24);
  CHECK(Change::parse("vcpus", "-8").of(16.0) == 8);
  CHECK(Change::parse("vcpus", "x2").of(16.0) == 32);
  CHECK(Change::parse("gpu-speed", "1.5x").of(2.0) == 3);
  CHECK(Change::parse("memory", "128GiB").of(16.0) == 128);
  CHECK(Change::parse("memory", "1TiB").of(16.0) == 1024);
  CHECK(Change::parse("memory", "+512MiB").of(16.0) == 16.5);
  CHECK(Change::parse("price", "+10%").of(2.0) == test::approx(2.2));
}

TEST_CASE("supposition: money stays exact") {
  const auto now = Money::parse("3.06", "USD");
  CHECK(Change::parse("price", "-20%").of(now) == Money::parse("2.448", "USD"));
  CHECK(Change::parse("price", "$2.10").of(now) == Money::parse("2.10", "USD"));
  CHECK(Change::parse("price", "+0.005").of(now) == Money::parse("3.065", "USD"));
  // A third of a nano-unit does not vanish into binary: 3.06 x 0.1 is 0.306 to the last of them.
  CHECK(Change::parse("price", "x0.1").of(now).nanos() == 306'000'000);
}

TEST_CASE("supposition: what makes no sense is named") {
  CHECK_THROWS_WITH_AS(
      parse_supposition({"vcups=2"}), doctest::Contains("did you mean vcpus="), UsageError);
  CHECK_THROWS_WITH_AS(
      parse_supposition({"vcpus="}), doctest::Contains("expected vcpus="), UsageError);
  CHECK_THROWS_WITH_AS(
      parse_supposition({"price=cheap"}), doctest::Contains("price=cheap"), UsageError);
  CHECK_THROWS_WITH_AS(
      parse_supposition({"price=-100%"}), doctest::Contains("nothing would be left"), UsageError);
}

TEST_CASE("supposition: a share says whether it is more or less") {
  CHECK_THROWS_WITH_AS(static_cast<void>(parse_supposition({"gpu-speed=50%"})),
                       doctest::Contains("more or less?"),
                       UsageError);
}
