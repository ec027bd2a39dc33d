// Machines by the names that tables show: with a market's label behind, and a place before.
#include "advisor/suppose/offer_name.h"

#include <cmath>

#include <doctest/doctest.h>

#include "advisor/explain/comparison.h"
#include "advisor/explain/explanation.h"
#include "advisor/full_name.h"
#include "advisor/report/comparison_text.h"
#include "advisor/right_sizing_world.h"
#include "advisor/suppose/market_label.h"
#include "advisor/suppose/what_if.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

// Two machines; v.both is sold in two places, and in one of them on the spot market too.
Knowledge rented() {
  return test::knowledge_of(
      std::string(test::right_sizing_header) + ",SpotPrice",
      "acme,v.both,8,64,V100,1,here,3.00,USD,x86_64,current,2026-01-01,test,0.60\n"
      "acme,v.both,8,64,V100,1,there,3.50,USD,x86_64,current,2026-01-01,test,\n"
      "acme,t.slow,8,64,T4,1,here,0.75,USD,x86_64,current,2026-01-01,test,\n");
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

TEST_CASE("offer name: a label says the market as tables show it or as --market has it") {
  CHECK(label_behind("g5.xlarge [1y]") == "[1y]");
  CHECK(label_behind("g5.xlarge").empty());
  CHECK(label_behind("odd[name").empty());
  CHECK(parse_market_label("[SPOT]")->market == Market::spot);
  CHECK(parse_market_label("[1Y]")->market == Market::reserved_1y);
  CHECK(parse_market_label("[reserved-3y]")->market == Market::reserved_3y);
  CHECK(parse_market_label("[month]")->by_month);
  CHECK_FALSE(parse_market_label("[on-demand]")->by_month);
  CHECK_FALSE(parse_market_label("[lease]"));
  CHECK_FALSE(parse_market_label(""));
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
  CHECK(result.price_flips[1].price_per_hour == test::approx(3).epsilon(0.05));
  CHECK(contains(report::comparison_text(result, {}),
                 "Take acme/v.both [Spot]: cheaper than acme/v.both with probability"));
  REQUIRE_FALSE(result.deadline_flips.empty());
  CHECK(result.deadline_flips.back().above == "acme/v.both [Spot]");
  const auto there = compare(test::imagenet_job(), world.evidence(), "acme/there/v.both", "t.slow");
  CHECK(there.sides[0].option.region == "there");
  CHECK(side_names(there)[0] == "acme/v.both");
}

TEST_CASE("offer name: one machine in two places is compared, and flips say which") {
  const auto world = rented();
  const auto result = compare(
      test::imagenet_job(), world.evidence(), "acme/there/v.both", "acme/here/v.both [on-demand]");
  CHECK(side_names(result)[0] == "acme/there/v.both");
  CHECK(side_names(result)[1] == "acme/here/v.both");
  CHECK(result.better == 1);
  CHECK(result.at_any_deadline == "acme/here/v.both");
  REQUIRE(result.price_flips.size() == 2);
  CHECK(result.price_flips[0].price_per_hour == test::approx(3).epsilon(1e-3));
  CHECK(result.price_flips[1].price_per_hour == test::approx(3.5).epsilon(1e-3));
  CHECK(contains(report::comparison_text(result, {}), "acme/there/v.both is the better below"));
}

TEST_CASE("offer name: where compare would flip by deadline, the budget holds as it does above") {
  const auto world = rented();
  auto query = test::imagenet_job();
  const auto cost_of = [&](const char* name) {
    return Appraiser(query, world.evidence()).appraise(name).option.cost;
  };
  const auto within = cost_of("acme/here/v.both [Spot]").high;
  REQUIRE(within < cost_of("acme/here/v.both").low);
  query.budget = Money(std::llround(within * 1.1e9), "USD");
  const auto result = compare(query, world.evidence(), "v.both", "v.both [Spot]");
  CHECK(result.at_any_deadline == "acme/v.both [Spot]");
  for (const auto& flip : result.deadline_flips) {
    CHECK(flip.above == "acme/v.both [Spot]");
    CHECK(flip.below.empty());
  }
}

TEST_CASE("offer name: what is typed reads back as itself") {
  const auto world = rented();
  for (const auto& name : {OfferName{"acme/v.both", "", {}},
                           OfferName{"acme/v.both", "acme/here", Market::spot},
                           OfferName{"acme/v.both", "", Market::on_demand}}) {
    CAPTURE(typed(name));
    const auto back = read_offer_name(world.catalog, typed(name), "");
    CHECK(back.instance == name.instance);
    CHECK(back.place == name.place);
    CHECK(back.market == name.market);
  }
  CHECK(typed({"acme/big@A / B", "acme/here", Market::spot}) == "acme/here/big@A / B [Spot]");
  CHECK(typed({"big", "acme/here", {}}) == "acme/here/big");
}

TEST_CASE("offer name: where one machine is asked about, a number of them is refused by name") {
  const auto world = rented();
  CHECK(read_machine_name(world.catalog, "acme/here/v.both [Spot]").market == Market::spot);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(read_machine_name(world.catalog, "4 x acme/here/v.both")),
      "\"4 x acme/here/v.both\": how many of them it takes is found for each; name "
      "acme/here/v.both alone",
      UsageError);
}

TEST_CASE("offer name: explain and what-if ask for the named market besides, in its place alone") {
  const auto world = rented();
  const auto evidence = world.evidence();
  const auto explained = explain(test::imagenet_job(), world.evidence(), "v.both [Spot]");
  CHECK(explained.option.market == Market::spot);
  CHECK(explained.chosen == "acme/v.both [Spot]");
  const auto price = explained.sensitivities.front();
  REQUIRE_FALSE(price.flips.empty());
  CHECK(price.flips.back().below == "acme/v.both [Spot]");
  CHECK(explained.substitutions.back().why == "the name asks for spot besides");
  const auto there = explain(test::imagenet_job(), evidence, "acme/there/v.both");
  CHECK(there.option.region == "there");
  CHECK(there.chosen == "acme/v.both");  // t.slow is not sold there
  CHECK(there.substitutions.back().why == "the name asks in acme/there alone");
  const auto supposed = [&](const char* another) {
    return what_if(test::imagenet_job(), evidence, "v.both [Spot]", parse_supposition({another}));
  };
  CHECK(supposed("price=$0.61").chosen_now == "acme/v.both [Spot]");  // it was already
  CHECK(supposed("price=$0.61").chosen_supposed == "acme/v.both [Spot]");
  CHECK(supposed("price=$5").chosen_supposed == "acme/t.slow");
  CHECK(supposed("price=$5").notes.front() == "the name asks for spot besides");
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
  refused("acme/moon/t.slow", "no offer is on-demand in acme/moon");
  refused("v.both [2y]", "[2y] is no market");
  refused("v.bothe [Spot]", "no instance is called \"v.bothe\" in the price tables, did you mean");
}
