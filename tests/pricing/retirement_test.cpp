#include "pricing/retirement.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "pricing/catalog.h"
#include "pricing/check.h"

using namespace rightsize;

namespace {

constexpr const char* today = "2026-11-24";

Offer offer_of(const char* provider, const char* instance, const char* gpu = "") {
  Offer offer;
  offer.provider = provider;
  offer.instance = instance;
  offer.gpu = gpu;
  offer.book = "current";
  offer.as_of = "undated (catalogue commit)";
  return offer;
}

std::string ended(const Offer& offer, const char* as_of_day = today) {
  const auto catalog = shipped_catalog();
  const auto* found = retirement_of(offer, catalog.retirements(), as_of_day);
  return found == nullptr ? "" : found->on;
}

}  // namespace

TEST_CASE("retirement: what a source dates is known, and its successors are still sold") {
  CHECK(ended(offer_of("azure", "Standard_NC6", "K80")) == "2023-09-06");
  CHECK(ended(offer_of("azure", "Standard_NC24_Promo", "K80")) == "2023-09-06");
  CHECK(ended(offer_of("azure", "Standard_NC12s_v2", "P100")) == "2023-09-06");
  CHECK(ended(offer_of("azure", "Standard_ND24rs", "P40")) == "2023-09-06");
  CHECK(ended(offer_of("azure", "Standard_NV12", "M60")) == "2023-09-06");
  CHECK(ended(offer_of("azure", "Standard_NC24rs_v3", "V100")) == "2025-09-30");
  CHECK(ended(offer_of("azure", "Standard_NV48s_v3", "M60")) == "2026-09-30");
  CHECK(ended(offer_of("gcp", "n1-standard-8", "K80")) == "2024-05-01");
  CHECK(ended(offer_of("aws", "p3.2xlarge", "V100")) == "2025-12-20");
  CHECK(ended(offer_of("azure", "Standard_ND40rs_v2", "V100")) == "");
  CHECK(ended(offer_of("azure", "Standard_NC4as_T4_v3", "T4")) == "");
  CHECK(ended(offer_of("azure", "Standard_NV36ads_A10_v5", "A10")) == "");
  CHECK(ended(offer_of("gcp", "n1-standard-8", "T4")) == "");
  CHECK(ended(offer_of("aws", "p3dn.24xlarge", "V100")) == "");
  CHECK(ended(offer_of("acme", "p3.2xlarge", "V100")) == "");
}

TEST_CASE("retirement: until its day a machine is sold, and prices of another time are kept") {
  auto offer = offer_of("aws", "p3.2xlarge", "V100");
  CHECK(ended(offer, "2025-12-20") == "");
  CHECK(ended(offer, "2025-12-21") == "2025-12-20");
  offer.as_of = "2025-11-02";  // weeks before: meant as today's
  CHECK(ended(offer) == "2025-12-20");
  offer.as_of = "2017-11-12";
  CHECK(ended(offer) == "");
  offer.as_of = "2017-07";  // known to the month, as the founding reports' are
  CHECK(ended(offer) == "");
  offer.as_of = "2025-11";
  CHECK(ended(offer) == "2025-12-20");
  offer.as_of = "2017";
  CHECK(ended(offer) == "");
  offer.as_of = "";
  CHECK(ended(offer) == "2025-12-20");
  offer.book = "era-2017";
  CHECK(ended(offer) == "");
}

TEST_CASE("retirement: every row of the table is dated and sourced, and what has none is refused") {
  const auto catalog = shipped_catalog();
  CHECK(catalog.retirements().size() > 20);
  for (const auto& one : catalog.retirements()) {
    CAPTURE(one.instances);
    CHECK(one.source.size() > 20);
  }
  CHECK_THROWS_WITH_AS(
      static_cast<void>(parse_retirements(
          "Provider,Instances,Gpu,RetiredOn,Source\naws,p2.*,,2024,none\n", "mine.csv")),
      doctest::Contains("mine.csv:2: RetiredOn = \"2024\": expected"),
      PricingError);
}

TEST_CASE("retirement: the catalogue notes it on offers, and the check tells each type once") {
  auto catalog = shipped_catalog();
  const auto retired = [&] {
    return std::count_if(catalog.offers().begin(), catalog.offers().end(), [](const Offer& one) {
      return !one.retired_on.empty();
    });
  };
  CHECK(retired() == 0);
  catalog.note_retired(today);
  CHECK(retired() > 20);
  for (const auto& offer : catalog.offers()) {
    CAPTURE(offer.instance);
    CHECK((offer.book == "current" || offer.retired_on.empty()));
    CHECK((offer.gpu != "H100" || offer.retired_on.empty()));
  }
  const std::vector<Offer> twice{offer_of("azure", "Standard_NC6", "K80"),
                                 offer_of("azure", "Standard_NC6", "K80")};
  int told = 0;
  for (const auto& issue : check_offers(twice, {today, 30, 90, nullptr, catalog.retirements()})) {
    told += issue.text.find("retired by the provider on 2023-09-06") != std::string::npos ? 1 : 0;
  }
  CHECK(told == 1);
}
