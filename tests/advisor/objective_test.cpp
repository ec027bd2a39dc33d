// What is best: by cost, by time, or by both.
#include "advisor/query/objective.h"

#include <cmath>

#include <doctest/doctest.h>

#include "advisor/knowledge.h"
#include "advisor/query/query.h"
#include "support/approx.h"
#include "support/made_model.h"

using namespace rightsize;

TEST_CASE("objective: words and weights") {
  CHECK(parse_objective("cost", "x") == Objective{1, 0});
  CHECK(parse_objective("time", "x") == Objective{0, 1});
  const auto both = parse_objective("cost*0.7 + 0.3*time", "x");
  CHECK(both.cost == test::approx(0.7));
  CHECK(both.time == test::approx(0.3));
  CHECK(parse_objective("cost*3+time", "x").cost == test::approx(0.75));
  for (const auto* wrong :
       {"", "speed", "cost*", "cost*-1+time", "cost*0", "cost+", "cost*0.5time"}) {
    CAPTURE(wrong);
    CHECK_THROWS_WITH_AS(static_cast<void>(parse_objective(wrong, "--objective")),
                         doctest::Contains("--objective"),
                         UsageError);
  }
}

TEST_CASE("objective: a weighted score trades a share of time for a share of cost") {
  const Objective both{0.75, 0.25};
  // Three per cent less time is worth one per cent of cost: 0.97^0.25 = 1.0101^-0.75 to first
  // order.
  CHECK(both.score(100, 10) == test::approx(both.score(100 * std::pow(0.9, -1.0 / 3), 9)));
  // In other units the order of two machines is the same.
  CHECK((both.score(100, 10) < both.score(90, 12)) ==
        (both.score(700, 600) < both.score(630, 720)));
}

TEST_CASE("objective: the search takes the fastest, the cheapest, or one between") {
  const auto world = knowledge_with(test::made_model());
  Query query;
  query.precision = Precision::fp16;
  query.batches = {128};
  query.items = 1281167;
  query.epochs = 10;
  query.dataset_bytes = 140'000'000'000;
  query.infra = {"aws"};
  const auto chosen = [&](const char* objective) {
    query.objective = parse_objective(objective, "test");
    return *search(query, world.evidence(), {100000, 1, 100}).chosen;
  };
  const auto cheapest = chosen("cost");
  const auto fastest = chosen("time");
  const auto between = chosen("cost*0.5+time*0.5");
  CHECK(fastest.hours.value < cheapest.hours.value);
  CHECK(cheapest.cost.value < fastest.cost.value);
  CHECK(between.hours.value <= cheapest.hours.value);
  CHECK(between.cost.value <= fastest.cost.value);
  // Brute force: nobody who satisfies has a lower score.
  query.objective = parse_objective("cost*0.5+time*0.5", "test");
  for (const auto& option : search(query, world.evidence(), {100000, 1, 100}).options) {
    CHECK(option.score >= between.score);
    const double expected = std::sqrt(option.cost.value * option.hours.value);
    CHECK(option.score >= test::approx(expected).epsilon(1e-9));  // and more near a tie
    CHECK(option.score < 1.5 * expected);
  }
}
