// Prices far below those of others: of one provider alone, and of a spot market.
#include "pricing/rival_prices.h"

#include <vector>

#include <doctest/doctest.h>

#include "pricing/spot_prices.h"

using namespace rightsize;

namespace {

Offer offer(const char* provider, const char* price, double gpus = 1) {
  Offer one;
  one.provider = provider;
  one.instance = "one";
  one.region = "here";
  one.gpu = "RTX-PRO-6000";
  one.gpus = gpus;
  one.book = "current";
  one.price_per_hour = Money::parse(price, "USD");
  return one;
}

}  // namespace

TEST_CASE("rival prices: what is far below all others' is doubted, by the price of one GPU") {
  const std::vector<Offer> offers{offer("cheap", "0.66"),
                                  offer("usual", "1.67"),
                                  offer("usual", "13.20", 8),
                                  offer("dear", "3.00")};
  const RivalPrices rivals(offers);
  CHECK(rivals.doubt(offers[0]) ==
        "0.66 USD an hour for one RTX-PRO-6000 is 40% of the 1.65 that the cheapest of 2 other "
        "providers asks: a teaser, a part of a card, or sold out?");
  CHECK(rivals.doubt(offers[1]).empty());
  CHECK(rivals.doubt(offers[2]).empty());
  CHECK(rivals.doubt(offer("cheap", "1.00")).empty());  // 61 % of the next
  CHECK(RivalPrices(std::span(offers).first(2)).doubt(offers[0]).find("the only other provider") !=
        std::string::npos);
}

TEST_CASE("rival prices: nothing is said of what cannot be compared") {
  std::vector<Offer> offers{offer("cheap", "0.66"), offer("usual", "1.67"), offer("own", "0.10")};
  offers[0].market = Market::spot;
  offers[1].price_per_hour = Money::parse("1.67", "EUR");
  offers[2].gpu.clear();
  const RivalPrices rivals(offers);
  for (const auto& one : offers) {
    CHECK(rivals.doubt(one).empty());
  }
  auto gone = std::vector<Offer>{offer("cheap", "0.66"), offer("usual", "1.67")};
  gone[1].retired_on = "2025-01-01";
  CHECK(RivalPrices(gone).doubt(gone[0]).empty());
}

TEST_CASE("spot prices: less than a fifth of the price on demand is doubted") {
  std::vector<Offer> offers{offer("aws", "10.00"), offer("aws", "1.80"), offer("aws", "2.10")};
  offers[1].market = Market::spot;
  offers[2].market = Market::spot;
  const SpotPrices spot(offers);
  CHECK(spot.doubt_by_demand(offers[1]) ==
        "the spot price of 1.80 USD is 18% of the 10 it costs there on demand: of one zone or one "
        "moment?");
  CHECK(spot.doubt_by_demand(offers[2]).empty());
  CHECK(spot.doubt_by_demand(offers[0]).empty());
  offers[1].region = "elsewhere";
  CHECK(spot.doubt_by_demand(offers[1]).empty());
}
