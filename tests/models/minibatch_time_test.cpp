// The time of a minibatch by its size: what is given is kept, and nothing else decides it.
#include "models/laws/minibatch_time.h"

#include <optional>
#include <stdexcept>

#include <doctest/doctest.h>

#include "models/laws/minibatch_rates.h"
#include "support/approx.h"

using namespace rightsize;

TEST_CASE("minibatch time: given at powers of two, straight between them") {
  const MinibatchTime time({{1, 4.0}, {2, 5.0}, {4, 6.0}, {8, 10.0}});
  CHECK(time.seconds(1) == test::approx(4));
  CHECK(time.seconds(1.5) == test::approx(4.5));
  CHECK(time.seconds(3) == test::approx(5.5));
  CHECK(time.seconds(4) == test::approx(6));
  CHECK(time.seconds(7) == test::approx(9));
  CHECK(time.seconds(8) == test::approx(10));
}

TEST_CASE("minibatch time: that of eight is the same whatever the largest may be") {
  const std::vector<MinibatchTime::Point> all{{1, 4}, {2, 5}, {4, 6}, {8, 10}, {16, 25}, {32, 40}};
  for (const int limit : {8, 11, 16, 32}) {
    const auto sizes = MinibatchTime::sizes(limit);
    CHECK(sizes.front() == 1);
    CHECK(sizes.back() >= limit);
    const MinibatchTime time(
        std::vector<MinibatchTime::Point>(all.begin(), all.begin() + std::ssize(sizes)));
    CAPTURE(limit);
    CHECK(time.seconds(8) == test::approx(10));
    CHECK(time.seconds(5) == test::approx(7));
  }
}

TEST_CASE("minibatch time: where the next power does not fit the limit itself is the last") {
  const MinibatchTime time({{1, 4}, {2, 5}, {4, 6}, {6, 9}});
  CHECK(time.seconds(6) == test::approx(9));
  CHECK(time.seconds(5) == test::approx(7.5));
  const auto points = time.points();
  REQUIRE(points.size() == 4);
  CHECK(points.back().requests == 6);
  CHECK(points.back().seconds == test::approx(9));
}

TEST_CASE("minibatch time: the limit stands for a last size that does not fit, for no other") {
  // b / rate seconds, of which those above `fitting` are not known.
  const auto up_to = [](int limit, int least, int fitting) {
    return minibatch_time_of(limit, [=](int size) {
      return size < least || size > fitting ? std::nullopt : std::optional(size / (3.0 + size));
    });
  };
  const auto cut = up_to(6, 1, 6);
  REQUIRE(cut);
  REQUIRE(cut->points().size() == 4);
  CHECK(cut->points().back().requests == 6);
  CHECK(cut->seconds(6) == test::approx(9));
  CHECK(up_to(6, 1, 8)->points().back().requests == 8);
  CHECK_FALSE(up_to(6, 1, 3));  // not even the limit
  CHECK_FALSE(up_to(8, 2, 8));  // larger ones fit, smaller do not
}

TEST_CASE("minibatch time: the largest minibatch that may be asked for has a time") {
  const auto time = minibatch_time_of(most_requests_in_minibatch,
                                      [](int size) { return std::optional(size / 2.0); });
  REQUIRE(time);
  CHECK(time->points().back().requests == most_requests_in_minibatch);
  const auto more = MinibatchTime::sizes(most_requests_in_minibatch + 1);
  CHECK(more.back() > most_requests_in_minibatch);
}

TEST_CASE("minibatch time: a line is one, at every size") {
  const MinibatchTime time(StepTimeLaw{0.02, 0.003});
  for (const double requests : {1.0, 2.0, 7.5, 32.0, 1000.0}) {
    CHECK(time.seconds(requests) == test::approx(0.02 + 0.003 * requests));
  }
  CHECK(MinibatchTime(std::vector<MinibatchTime::Point>{{1, 3}}).seconds(1) == 3);
}

TEST_CASE("minibatch time: it never falls, is changed as a whole, and refuses what is no curve") {
  const MinibatchTime time({{1, 4}, {2, 3}, {4, 8}});
  CHECK(time.seconds(2) > time.seconds(1));
  const auto slower = time.changed(2, 0.5);
  CHECK(slower.seconds(1) == test::approx(8.5));
  CHECK(slower.seconds(4) == test::approx(16.5));
  using Points = std::vector<MinibatchTime::Point>;
  for (const auto& wrong :
       {Points{{2, 1}}, Points{{1, 0}}, Points{{1, 1}, {4, 2}}, Points{{1, 1}, {1, 2}}}) {
    CHECK_THROWS_AS(MinibatchTime{wrong}, std::invalid_argument);
  }
}
