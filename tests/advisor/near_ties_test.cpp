// Options of a job whose costs are within 1 %: by time, then by what they ask of the program.
#include "advisor/judge/near_ties.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace rightsize;

namespace {

Option option(const std::string& name, double cost, double hours, int gpus = 1) {
  Option one;
  one.instance = name;
  one.hours.value = hours;
  one.cost.value = one.score = cost;
  one.satisfies = true;
  one.gpus = gpus;
  return one;
}

std::vector<std::string> ordered(std::vector<Option> by_score) {
  order_near_ties(by_score, [](const Option& one) { return NearTie(one); });
  std::vector<std::string> names;
  for (const auto& one : by_score) {
    names.push_back(one.instance);
  }
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("near ties: what costs as much within 1 % goes by time, from the cheapest on") {
  CHECK(ordered({option("one", 100, 80), option("eight", 100.9, 11), option("dear", 101.1, 5)}) ==
        Names{"eight", "one", "dear"});
  // A chain of them does not carry anybody beyond 1 % of the cheapest.
  CHECK(ordered({option("a", 100, 4), option("b", 100.8, 3), option("c", 101.6, 2)}) ==
        Names{"b", "a", "c"});
  CHECK(ordered({option("a", 100, 3), option("b", 102, 2), option("c", 104, 1)}) ==
        Names{"a", "b", "c"});
  CHECK(ordered({}).empty());
}

TEST_CASE("near ties: of those as fast what asks less of the program is the first") {
  CHECK(ordered({option("eight", 100, 10, 8), option("one", 100.5, 10.4)}) ==
        Names{"one", "eight"});
  CHECK(ordered({option("eight", 100, 10, 8), option("one", 100.5, 10.6)}) ==
        Names{"eight", "one"});
  auto shares = option("shares", 100, 10, 8);
  shares.sharded = true;
  CHECK(ordered({shares, option("whole", 100.1, 10, 8)}) == Names{"whole", "shares"});
  CHECK(ordered({option("eight", 100, 10, 8), option("four", 100.1, 10, 4)}) ==
        Names{"four", "eight"});
  // As fast and asking as much: the cheaper.
  CHECK(ordered({option("a", 100, 10.2), option("b", 100.1, 10)}) == Names{"a", "b"});
}

TEST_CASE("near ties: two alone stand as among others, and only of jobs by their cost") {
  Query query;
  const auto one = option("one", 100, 80);
  const auto eight = option("eight", 100.9, 11, 8);
  CHECK(comes_before(query, eight, one));
  CHECK_FALSE(comes_before(query, one, eight));
  CHECK(wins_near_tie(query, eight, one));
  CHECK_FALSE(wins_near_tie(query, one, eight));
  auto late = eight;
  late.satisfies = false;
  CHECK(comes_before(query, one, late));
  query.objective = {0.7, 0.3};
  CHECK_FALSE(knows_near_ties(query));
  CHECK_FALSE(wins_near_tie(query, eight, one));
}
