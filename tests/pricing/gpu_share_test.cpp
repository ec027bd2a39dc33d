// Machines with a part of a GPU: counted as 0.125 in tables, named "L4/8" further on.
#include "pricing/gpu_share.h"

#include <string>

#include <doctest/doctest.h>

#include "pricing/catalog.h"
#include "pricing/offer_csv.h"
#include "support/approx.h"

using namespace rightsize;
using test::approx;

namespace {

Offer offer_with(const std::string& gpu, double gpus) {
  Offer offer;
  offer.provider = "acme";
  offer.instance = "part";
  offer.gpu = gpu;
  offer.gpus = gpus;
  offer.gpu_memory_gib = 24;
  offer.price_per_hour = Money::parse("0.20", "USD");
  return offer;
}

}  // namespace

TEST_CASE("gpu share: a catalogue names the N-th part, and leaves its memory open") {
  Catalog catalog;
  for (const double gpus : {0.125, 0.33, 0.167, 1.0, 0.4}) {
    catalog.add(offer_with("L4", gpus));
  }
  const auto& offers = catalog.offers();
  CHECK(offers[0].gpu == "L4/8");
  CHECK(offers[0].gpus == 1);
  CHECK_FALSE(offers[0].gpu_memory_gib);
  CHECK(whole_gpus(offers[0]) == approx(0.125));
  CHECK(offers[1].gpu == "L4/3");
  CHECK(offers[2].gpu == "L4/6");
  CHECK(offers[3].gpu == "L4");
  CHECK(whole_gpus(offers[3]) == 1);
  CHECK(offers[4].gpus == approx(0.4));  // no N-th part: left as it is
}

TEST_CASE("gpu share: SkyPilot's table counts it again") {
  Catalog catalog;
  catalog.add(offer_with("L4", 0.125));
  std::size_t left_out = 0;
  const auto text = to_skypilot_csv(catalog.offers(), "acme", left_out);
  CHECK(left_out == 0);
  CHECK(text.find(",L4,0.125,") != std::string::npos);
}
