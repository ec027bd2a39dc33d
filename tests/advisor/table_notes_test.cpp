// What stands under the table of options.
#include "advisor/report/table_notes.h"

#include <string>

#include <doctest/doctest.h>

using namespace rightsize;

TEST_CASE("table notes: first what the column of fleets means, and that the first may be outdone") {
  Recommendation answer;
  answer.query.service.emplace();
  Option first;
  first.rank = 1;
  first.p_cheapest = 0.005;
  Option tied = first;
  tied.rank = 2;
  tied.p_cheapest = 0.8;
  answer.options = {first, tied};
  answer.chosen = first;
  answer.ties = {1};
  const auto notes = report::table_notes(answer, 0);
  REQUIRE(notes.size() >= 2);
  CHECK(notes[0].starts_with("if resized: chance to be the cheapest once each fleet"));
  CHECK(notes[0].ends_with(", so that the first may have the lesser chance"));
  CHECK(notes[1].starts_with("= cannot be told apart"));
  answer.options[1].p_cheapest = 0.001;
  CHECK(report::table_notes(answer, 0)[0].ends_with("confidence"));
}
