// What joins machines of a type, on offers whichever comes first.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "pricing/catalog.h"

using namespace rightsize;

namespace {

constexpr auto table =
    "Provider,Instance,Network,Source\n"
    "aws,p4d.24xlarge,efa:400,documentation\n";

Offer offer_of(const char* provider, const char* instance) {
  Offer offer;
  offer.provider = provider;
  offer.instance = instance;
  offer.gpu = "A100";
  return offer;
}

}  // namespace

TEST_CASE("networks: offers before and after the table have theirs, others none") {
  Catalog catalog;
  catalog.add(offer_of("aws", "p4d.24xlarge"));
  catalog.add_networks(table, "network.csv");
  catalog.add(offer_of("aws", "p4d.24xlarge"));
  catalog.add(offer_of("gcp", "p4d.24xlarge"));
  CHECK(catalog.offers()[0].network == "efa:400");
  CHECK(catalog.offers()[1].network == "efa:400");
  CHECK(catalog.offers()[2].network.empty());
}

TEST_CASE("networks: every large machine of AWS, Google and Azure has one in the shipped tables") {
  const auto catalog = shipped_catalog();
  for (const auto& offer : catalog.offers()) {
    const bool large = offer.gpus >= 8 && (offer.provider == "aws" || offer.provider == "azure" ||
                                           offer.provider == "gcp");
    if (large && offer.book == "current" && offer.instance.find("n1-") == std::string::npos) {
      CAPTURE(offer.instance);
      CHECK_FALSE(offer.network.empty());
    }
  }
}
