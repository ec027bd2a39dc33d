// Machines by the names that tables show: with a market's label behind, and a place before.
#include "advisor/suppose/offer_name.h"

#include <doctest/doctest.h>

#include "advisor/explain/comparison.h"
#include "advisor/explain/explanation.h"
#include "advisor/full_name.h"
#include "advisor/report/comparison_text.h"
#include "advisor/right_sizing_world.h"
#include "advisor/suppose/what_if.h"

using namespace rightsize;

namespace {

// Two machines; v.both is sold in two places, and in one of them on the spot market too.
Knowledge rented() {
  return test::knowledge_of(
      std::string(test::right_sizing_header) + ",SpotPrice",
      "acme,v.both,8,64,V100,1,here,3.00,USD,x86_64,current,2026-01-01,test,0.60\n"
      "acme,v.both,8,64,V100,1,there,3.50,USD,x86_64,current,2026-01-01,test,\n"
      "acme,t.slow,8,64,T4,1,here,0.90,USD,x86_64,current,2026-01-01,test,\n");
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("offer name: the label and the place are read off, in any case") {
  const auto world = rented();
  const auto read = [&](const char* text) { return read_offer_name(world.catalog, text, ""); };
  CHECK(read("v.both").instance == "v.both");
  CHECK_FALSE(read("v.both").market);
  CHECK(read(" acme/v.both [SPOT] ").instance == "acme/v.both");
  CHECK(read("acme/v.both[spot]").market == Market::spot);
  CHECK(read("acme/there/v.both [On-demand]").place == "acme/there");
  CHECK(read("acme/there/v.both").instance == "acme/v.both");
  for (const auto* none : {"acme/", "/here/v.both", "acme//v.both", "a/b/c/d"}) {
    CAPTURE(none);
    CHECK_THROWS_WITH_AS(read(none),
                         doctest::Contains("expected NAME, PROVIDER/NAME or PROVIDER/REGION/NAME"),
                         UsageError);
  }
}

TEST_CASE("offer name: one machine in two markets is compared, and flips say which") {
  const auto world = rented();
  const auto result =
      compare(test::imagenet_job(), world.evidence(), "v.both", "acme/v.both [Spot]");
  CHECK(full_name(result.sides[0].option) == "acme/v.both");
  CHECK(full_name(result.sides[1].option) == "acme/v.both [Spot]");
  CHECK(result.better == 1);
  REQUIRE(result.price_flips.size() == 2);
  CHECK(result.price_flips[0].price_per_hour < 0.7);  // the dearer one has to come down to
  CHECK(result.price_flips[1].price_per_hour == doctest::Approx(3).epsilon(0.05));
  CHECK(contains(report::comparison_text(result, {}),
                 "Take acme/v.both [Spot]: cheaper than acme/v.both with probability"));
  const auto there = compare(test::imagenet_job(), world.evidence(), "acme/there/v.both", "t.slow");
  CHECK(there.sides[0].option.region == "there");
}

TEST_CASE("offer name: explain asks for the named market besides, what-if for that machine alone") {
  const auto world = rented();
  const auto explained = explain(test::imagenet_job(), world.evidence(), "v.both [Spot]");
  CHECK(explained.option.market == Market::spot);
  CHECK(explained.chosen == "acme/v.both [Spot]");
  const auto price = explained.sensitivities.front();
  REQUIRE_FALSE(price.flips.empty());
  CHECK(price.flips.back().below == "acme/v.both [Spot]");
  CHECK(explain(test::imagenet_job(), world.evidence(), "acme/there/v.both").option.region ==
        "there");
  const auto supposed = what_if(
      test::imagenet_job(), world.evidence(), "v.both [Spot]", parse_supposition({"price=$5"}));
  REQUIRE(supposed.supposed);
  CHECK(supposed.chosen_now == "acme/t.slow");
  CHECK(supposed.supposed->price_per_hour == Money::parse("5", "USD"));
}

TEST_CASE("offer name: what is not sold so says how it is sold") {
  const auto world = rented();
  const auto refused = [&](const char* name, const char* why) {
    CAPTURE(name);
    CHECK_THROWS_WITH_AS(static_cast<void>(explain(test::imagenet_job(), world.evidence(), name)),
                         doctest::Contains(why),
                         UsageError);
  };
  refused("t.slow [Spot]", "in book current it is sold on-demand");
  refused("acme/there/v.both [Spot]", "in acme/there it is sold on-demand");
  refused("acme/moon/t.slow", "it is sold in acme/here");
  refused("v.both [2y]", "[2y] is no market");
  refused("v.bothe [Spot]", "no instance is called \"v.bothe\" in the price tables, did you mean");
}
