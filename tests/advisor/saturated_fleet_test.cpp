// A fleet that is asked for more than it can serve: what is said of it, and what a request costs.
#include <cmath>

#include <doctest/doctest.h>

#include "advisor/judge/judge.h"
#include "advisor/report/service_text.h"
#include "advisor/report/what_if_text.h"
#include "advisor/service_world.h"
#include "advisor/suppose/what_if.h"
#include "support/approx.h"

using namespace rightsize;
using test::answering;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Twice the load, on one machine less than today's answer has.
WhatIf overloaded(const Knowledge& world) {
  return what_if(
      answering(), world.evidence(), "t4.small", parse_supposition({"qps=x2", "machines=-1"}));
}

}  // namespace

TEST_CASE("saturated: a number of machines that the answer does not have today does not stay") {
  const auto world = test::service_world();
  const auto result = overloaded(world);
  REQUIRE(result.chosen_machines > 0);
  REQUIRE(result.chosen_machines != result.now->nodes);
  CHECK(contains(report::what_if_sentence(result),
                 fmt::format("; the answer is {} x acme/t4.small.", result.chosen_machines)));
  const auto fewer = what_if(
      answering(), world.evidence(), "t4.small", parse_supposition({"machines=-1", "p99=50ms"}));
  CHECK(contains(report::what_if_sentence(fewer),
                 fmt::format("the answer stays {} x acme/t4.small.", fewer.now->nodes)));
}

TEST_CASE("saturated: never is not about never, and no ratio is made of it") {
  const auto table = report::what_if_table(overloaded(test::service_world())).markdown();
  CAPTURE(table);
  CHECK(contains(table, "never"));
  CHECK_FALSE(contains(table, "~never"));
  CHECK_FALSE(contains(table, "— x"));
  CHECK(report::about_latency(0.02) == "~" + report::latency(0.02));
  CHECK(report::about_latency(INFINITY) == "never");
}

TEST_CASE("saturated: a million requests cost what those that are served do") {
  const auto result = overloaded(test::service_world());
  const auto& then = *result.supposed;
  REQUIRE(then.service->point.utilisation > 1);
  const double served = then.service->point.saturation_per_s * then.hours.value * 3600;
  CHECK(then.cost_per_1k_requests == test::approx(1000 * then.cost.value / served));
  const auto& now = *result.now;
  const double asked = 1500 * now.hours.value * 3600;
  CHECK(now.cost_per_1k_requests == test::approx(1000 * now.cost.value / asked));
  CHECK(served_share(0.5) == 1);
  CHECK(served_share(2) == 0.5);
}
