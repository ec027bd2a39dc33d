// Amounts, shares and places as people write them, in flags and job files.
#include "advisor/query/amount_words.h"

#include <doctest/doctest.h>

#include "advisor/query/place_words.h"
#include "advisor/query/usage_error.h"
#include "advisor/suppose/supposition.h"

using namespace rightsize;

TEST_CASE("amount words: a currency may stand before or behind, and is the job's or has a rate") {
  for (const auto* text : {"470", "470USD", "470 USD", "USD 470", "USD470", "$470", "470.00"}) {
    CAPTURE(text);
    CHECK(parse_amount(text, "USD", "--budget") == Money::parse("470", "USD"));
  }
  for (const auto* text : {"0", "-1", "", "USD", "$", "4 7", "470usd", "470 USD USD"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(parse_amount(text, "USD", "--budget")), UsageError);
  }
  const auto euros = parse_amount("470 EUR", "USD", "--budget");
  CHECK(euros == Money::parse("470", "EUR"));
  const Rates rates{{"EUR", {"EUR", "USD", 1'100'000'000, "given"}}};
  CHECK(counted_in("USD", euros, rates, "--budget") == Money::parse("517", "USD"));
  CHECK(counted_in("EUR", euros, {}, "--budget") == euros);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(counted_in("USD", euros, {}, "--budget")),
      "--budget = 470.00 EUR: the job counts in USD; --fx EUR=RATE says what 1 EUR is in USD, or "
      "--currency EUR counts in that",
      UsageError);
}

TEST_CASE("amount words: shares are parts or percentages") {
  CHECK(parse_share("0.9") == 0.9);
  CHECK(parse_share("90%") == 0.9);
  for (const auto* text : {"0", "1", "100%", "90", "%", "", "0.9x", "nan"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_share(text));
  }
}

TEST_CASE("amount words: places are one provider with its region or without") {
  CHECK(checked_places({"aws", "gcp/us-*", "*/eu-*", "gcp/not stated"}, "--infra").size() == 4);
  for (const auto* text : {"", "aws/", "/us-east-1", "a/b/c", "aws,gcp", "aws//x"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(checked_places({text}, "--infra")), UsageError);
  }
}

TEST_CASE("amount words: a supposed price in another currency is refused, not taken for it") {
  const auto at = [](const char* price) { return *parse_supposition({price}).price; };
  const auto now = Money::parse("10", "USD");
  CHECK(at("price=4USD").of(now) == Money::parse("4", "USD"));
  CHECK(at("price=+4 USD").of(now) == Money::parse("14", "USD"));
  CHECK(at("price=-$4").of(now) == Money::parse("6", "USD"));
  CHECK(at("price=-20%").of(now) == Money::parse("8", "USD"));
  auto converted = at("price=+4EUR");
  Query query;
  query.rates = {{"EUR", {"EUR", "USD", 1'100'000'000, "given"}}};
  converted.count_in("USD", query);
  CHECK(converted.of(now) == Money::parse("14.4", "USD"));
  CHECK_THROWS_WITH_AS(static_cast<void>(at("price=4EUR").of(now)),
                       "price= in EUR: this machine is priced in USD; say it in that",
                       UsageError);
}
