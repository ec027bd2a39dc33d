// Bills that do not move with the time: whole hours and months, and what that does to odds and
// budgets. Truth is the normal distribution of ln(hours) up to the hour where a bill steps.
#include "advisor/judge/bill_curve.h"

#include <cmath>
#include <functional>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/judge/chance.h"
#include "advisor/judge/pair_chance.h"
#include "advisor/knowledge.h"
#include "advisor/right_sizing/right_sizing.h"
#include "kernels/normal_distribution.h"
#include "support/approx.h"
#include "support/made_catalog.h"

using namespace rightsize;

namespace {

constexpr double sd = 0.3;

double by_the_second(double hours) {
  return 2 * hours;
}
double by_the_hour(double hours) {
  return 2 * std::ceil(hours);
}
double by_the_month(double hours) {
  return 450 * std::ceil(hours / 730);
}

UncertainCost costing(const std::function<double(double)>& cost_of, double hours, const char* gpu) {
  UncertainCost cost;
  cost.log_mean = std::log(cost_of(hours));
  cost.accelerator_sd = sd;
  cost.gpu = gpu;
  cost.bill = BillCurve(cost_of, hours, sd);
  return cost;
}

}  // namespace

TEST_CASE("bill curve: what is billed by the second moves with the time, and nothing is prepared") {
  const BillCurve curve(by_the_second, 10, sd);
  CHECK(curve.moves_with_time());
  CHECK(BillCurve(by_the_hour, 4000, sd).moves_with_time());  // a part of an hour is no matter
}

TEST_CASE("bill curve: whole hours and months are billed as they are, but for a step's edge") {
  const BillCurve hourly(by_the_hour, 1.5, sd);
  const BillCurve monthly(by_the_month, 40, sd);
  REQUIRE_FALSE(hourly.moves_with_time());
  REQUIRE_FALSE(monthly.moves_with_time());
  for (const double hours : {0.7, 0.9, 1.2, 1.5, 1.9, 2.3, 2.7, 3.5}) {
    CAPTURE(hours);
    CHECK(std::exp(hourly.ln_bill(std::log(hours / 1.5))) ==
          test::approx(by_the_hour(hours)).epsilon(1e-9));
  }
  CHECK(monthly.ln_bill(1.5) == std::log(450));
  CHECK(monthly.ln_bill(-1.5) == std::log(450));
}

TEST_CASE(
    "bill curve: a budget is kept as likely as the last hour that it pays for is not passed") {
  const auto chance = [](double budget, double (*cost_of)(double), double hours) {
    return chance_within(budget, cost_of, hours, sd);
  };
  CHECK(chance(25, by_the_second, 10) == test::approx(normal_cdf(std::log(1.25) / sd)));
  CHECK(chance(5, by_the_hour, 1.514) ==  // three hours are 6
        test::approx(normal_cdf(std::log(2 / 1.514) / sd)).epsilon(1e-4));
  CHECK(chance(450, by_the_month, 40) == 1);
  CHECK(chance(449, by_the_month, 40) == 0);
}

TEST_CASE("bill curve: of two contracts by the month the cheaper is cheaper, whatever the time") {
  const auto dearer = [](double hours) { return 480 * std::ceil(hours / 730); };
  auto first = costing(by_the_month, 40, "A");
  const auto other = costing(dearer, 60, "B");
  CHECK(chance_of_beating(first, other) == test::approx(0).epsilon(1e-6));
  CHECK(draw_chances({first, other}, 2000, 1)[0] == 1);
  // Beside one by the second, of 20 dollars as expected, it is as likely as that takes 225 hours.
  auto by_second = costing(by_the_second, 200, "B");
  const double p = normal_cdf(std::log(450.0 / 400) / sd);
  CHECK(chance_of_beating(first, by_second) == test::approx(p).epsilon(5e-3));
  CHECK(draw_chances({first, by_second}, 40000, 1)[1] == test::approx(p).epsilon(0.02));
}

TEST_CASE(
    "bill curve: equal bills of whole hours share the win, and are no better than each other") {
  const auto first = costing(by_the_hour, 0.3, "A");
  const auto other = costing(by_the_hour, 0.4, "B");  // each is one hour for certain, nearly
  CHECK(chance_of_beating(first, other) == test::approx(0.5).epsilon(0.01));
  CHECK(draw_chances({first, other}, 4000, 1)[1] == test::approx(0.5).epsilon(0.01));
}

TEST_CASE(
    "bill curve: what it typically comes to is no matter of which side of a step is expected") {
  CHECK(typical_bill(by_the_second, 10, sd) == test::approx(20).epsilon(1e-4));
  const double below = typical_bill(by_the_hour, 0.99, sd);
  const double above = typical_bill(by_the_hour, 1.01, sd);
  CHECK(above / below == test::approx(1).epsilon(0.05));
  CHECK(below == test::approx(2 * std::sqrt(2.0)).epsilon(0.08));  // one hour or two, even odds
}

// Of very many equally likely times.
double geometric_mean(const std::function<double(double)>& cost_of,
                      double hours,
                      double log_sd,
                      double faster = 1) {
  constexpr int steps = 200'000;
  constexpr double reach = 7;
  double sum = 0;
  double weights = 0;
  for (int i = 0; i <= steps; ++i) {
    const double z = reach * (2.0 * i / steps - 1);
    const double weight = std::exp(-z * z / 2);
    sum += weight * std::log(cost_of(hours * std::exp((z < 0 ? faster : 1) * z * log_sd)));
    weights += weight;
  }
  return std::exp(sum / weights);
}

TEST_CASE("bill curve: what it typically comes to in many steps is the mean over all of them") {
  const auto with_data = [](double hours) { return 7 + 2 * std::ceil(hours); };
  const auto by_the_minute = [](double hours) { return 2 * std::ceil(hours * 60) / 60; };
  for (const double hours : {5.01, 9.99, 27.3, 49.0}) {
    for (const double log_sd : {0.15, 0.25, 0.6}) {
      CAPTURE(hours);
      CAPTURE(log_sd);
      const auto near = [](double value) { return test::approx(value).epsilon(3e-4); };
      CHECK(typical_bill(by_the_hour, hours, log_sd, 1) ==
            near(geometric_mean(by_the_hour, hours, log_sd)));
      CHECK(typical_bill(with_data, hours, log_sd, 1) ==
            near(geometric_mean(with_data, hours, log_sd)));
      CHECK(typical_bill(by_the_minute, hours / 60, log_sd, 1.0 / 60) ==
            near(geometric_mean(by_the_minute, hours / 60, log_sd)));
    }
  }
}

TEST_CASE("bill curve: where the time may be much longer and hardly shorter it costs more") {
  for (const double faster : {0.0, 0.3, 0.7}) {
    for (const double hours : {1.4, 9.99, 49.0}) {
      for (const double log_sd : {0.15, 0.4}) {
        CAPTURE(faster);
        CAPTURE(hours);
        CAPTURE(log_sd);
        const double drawn = geometric_mean(by_the_hour, hours, log_sd, faster);
        CHECK(typical_bill(by_the_hour, hours, log_sd, 1, faster) ==
              test::approx(drawn).epsilon(6e-3));
        CHECK(typical_bill(by_the_second, hours, log_sd, 0, faster) ==
              test::approx(by_the_second(hours) * typical_times(log_sd, faster)).epsilon(3e-3));
        CHECK(geometric_mean(by_the_second, hours, log_sd, faster) ==
              test::approx(by_the_second(hours) * typical_times(log_sd, faster)).epsilon(1e-4));
      }
    }
  }
}

TEST_CASE("bill curve: steps that are not all equal are looked at one by one") {
  const auto at_least = [](double hours) { return 2 * std::max(8.0, std::ceil(hours)); };
  const auto discounted = [](double hours) {
    return 2 * std::ceil(hours) - std::max(0.0, std::ceil(hours) - 12);
  };
  for (const auto& cost_of : {std::function<double(double)>(at_least), {discounted}}) {
    CHECK(typical_bill(cost_of, 9, 0.3, 1) ==
          test::approx(geometric_mean(cost_of, 9, 0.3)).epsilon(3e-3));
    CHECK(typical_bill(cost_of, 9, 0.3, 1) == typical_bill(cost_of, 9, 0.3));
  }
}

TEST_CASE("bill curve: a common price moves no chance") {
  const auto chances = [](double price) {
    const auto hourly = [&](double hours, const char* gpu) {
      return costing([&](double taken) { return price * std::ceil(taken); }, hours, gpu);
    };
    const std::vector<UncertainCost> options{
        hourly(1.6, "A"), hourly(1.9, "B"), hourly(2.2, "C"), hourly(0.9, "D")};
    auto drawn = draw_chances(options, 2000, 1);
    drawn.push_back(chance_of_beating(options[0], options[1]));
    return drawn;
  };
  const auto at_one = chances(1);
  for (const double price : {0.71, 0.78, 0.83, 1.3}) {
    CAPTURE(price);
    const auto scaled = chances(price);
    for (std::size_t i = 0; i < at_one.size(); ++i) {
      CHECK(scaled[i] == test::approx(at_one[i]).epsilon(1e-9));
    }
  }
}

TEST_CASE("bill curve: advise keeps a budget that a contract keeps for certain, and moves for it") {
  const auto monthly = [](const char* name, const char* gpu, const char* price) {
    return fmt::format(
        "acme,{},8,64,{},1,here,,{},USD,x86_64,current,2026-01-01,test\n", name, gpu, price);
  };
  const auto world = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "MonthlyPrice,"
      "Currency,Arch,Book,AsOf,Source",
      monthly("a.one", "V100", "450") + monthly("b.one", "A100", "500"));
  auto query = test::imagenet_job();
  query.deadline_s.reset();
  query.budget = Money::parse("470", "USD");
  auto answer = search(query, world.evidence());
  REQUIRE(answer.chosen.has_value());
  CHECK(answer.chosen->instance == "a.one");
  CHECK(answer.chosen->p_deadline > 0.999);
  query.budget.reset();
  answer = search(query, world.evidence());
  CHECK(answer.chosen->p_cheapest == 1);
  CHECK(answer.ties.empty());
  const auto today = right_size(answer, world.evidence(), "b.one");
  CHECK(today.move);
  CHECK(*today.p_better > 0.999);
  CHECK(today.savings_share->low == test::approx(today.savings_share->high));
}
