#include "pricing/money.h"

#include <doctest/doctest.h>

using namespace rightsize;

TEST_CASE("money: decimal text is read exactly") {
  CHECK(Money::parse("3.06", "USD").nanos() == 3'060'000'000);
  CHECK(Money::parse("0.000000001", "USD").nanos() == 1);
  CHECK(Money::parse("-1.5", "USD").nanos() == -1'500'000'000);
  CHECK(Money::parse("13.2346639219618", "USD").nanos() == 13'234'663'922);
  CHECK(Money::parse("3.06", "USD").decimal() == "3.06");
  CHECK(Money::parse("7", "USD").decimal() == "7.00");
  CHECK(Money::parse("0.3500", "CNY").decimal() == "0.35");
}

TEST_CASE("money: a tenth added ten times is exactly one") {
  Money sum(0, "USD");
  for (int i = 0; i < 10; ++i) {
    sum += Money::parse("0.1", "USD");
  }
  CHECK(sum == Money::parse("1", "USD"));
}

TEST_CASE("money: times rounds half to even at the nano-unit") {
  CHECK(Money(1, "USD").times(1, 2).nanos() == 0);
  CHECK(Money(3, "USD").times(1, 2).nanos() == 2);
  CHECK(Money(-3, "USD").times(1, 2).nanos() == -2);
  CHECK(Money::parse("3.06", "USD").times(3600, 3600) == Money::parse("3.06", "USD"));
}

TEST_CASE("money: text that is no price is refused") {
  for (const auto* text : {"", "abc", "1,5", "1.2.3", "-", "nan", "1e5", "$3"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(Money::parse(text, "USD")), PricingError);
  }
}

TEST_CASE("money: currencies do not mix without a rate") {
  const auto dollars = Money::parse("1", "USD");
  const auto yuan = Money::parse("7", "CNY");
  CHECK_THROWS_AS(static_cast<void>(dollars + yuan), PricingError);
  CHECK_THROWS_AS(static_cast<void>(dollars < yuan), PricingError);
  const ExchangeRate rate{"CNY", "USD", 150'000'000, "test"};
  CHECK(convert(yuan, rate) == Money::parse("1.05", "USD"));
}

TEST_CASE("money: an overflow is an error, not a wrapped number") {
  CHECK_THROWS_AS(static_cast<void>(Money::parse("9000000000", "USD").times(1000)), PricingError);
}
