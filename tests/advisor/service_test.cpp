// Services: how many machines answer in time, and what a request costs.
#include "advisor/service/service.h"

#include <cmath>

#include <doctest/doctest.h>

#include "advisor/judge/fleet_steps.h"
#include "advisor/judge/mishap.h"
#include "advisor/query/latency_words.h"
#include "advisor/query/usage_error.h"
#include "kernels/normal_distribution.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

// 2 ms and 1 ms per request: 32 together take 34 ms, 941 requests/s at the most.
const Server gpu{StepTimeLaw{0.002, 0.001}, 0.0, 1, 32};

}  // namespace

TEST_CASE("service: enough machines are the least whose p99 is in time") {
  Service service{3000, 0.2, 0, 1, std::nullopt};
  const auto fleet = size_fleet(service, gpu, 0.9, 1.645);
  REQUIRE(fleet.machines >= 4);  // 3000 / 941 rounded up: fewer are saturated
  CHECK(fleet.point.p99_s <= 0.2);
  ServingLoad fewer{3000, 1, 32, 0, fleet.machines - 1};
  const auto point = serve(gpu.time, fewer);
  const bool too_few = point.regime == ServingRegime::saturated || point.p99_s > 0.2;
  CHECK(too_few);
  CHECK(fleet.machines_low == fleet.machines);                          // no error, no spread
  const auto p99 = p99_of(service, fleet, 0.9, 1.645, Source::fitted);  // but of the queue's law
  const double off = std::exp(1.645 * p99_log_sd(fewer, fleet.point.utilisation));
  CHECK(off > 1.1);
  CHECK(p99.low == test::approx(p99.value / off).epsilon(0.001));
  CHECK(p99.high == test::approx(p99.value * off).epsilon(0.001));
  CHECK(fleet.p_enough > 0.999);
}

TEST_CASE("service: uncertain times take more machines, and the chance is the wanted one") {
  Service service{3000, 0.2, 0, 1, std::nullopt};
  Server unsure = gpu;
  unsure.log_sd = 0.2;
  const auto sure = size_fleet(service, gpu, 0.9, 1.645);
  const auto fleet = size_fleet(service, unsure, 0.9, 1.645);
  CHECK(fleet.machines > sure.machines);
  CHECK(fleet.p_enough >= 0.9);
  CHECK(fleet.machines_low < fleet.machines);
  CHECK(fleet.machines <= fleet.machines_high);
  // One machine fewer is not enough with that confidence.
  const auto timid = size_fleet(service, unsure, 0.5, 1.645);
  CHECK(timid.machines < fleet.machines);
}

TEST_CASE("service: a machine with eight GPUs is eight replicas") {
  Service service{6000, 0.2, 0, 1, std::nullopt};
  Server eight = gpu;
  eight.replicas = 8;
  const auto ones = size_fleet(service, gpu, 0.9, 1.645);
  const auto eights = size_fleet(service, eight, 0.9, 1.645);
  CHECK(eights.machines == (ones.machines + 7) / 8);
}

TEST_CASE("service: faster than one minibatch of one cannot be had") {
  const auto fleet = size_fleet({10, 0.002, 0, 1, std::nullopt}, gpu, 0.9, 1.645);
  CHECK(fleet.machines == 0);
  CHECK(fleet.p_enough == 0);
}

TEST_CASE("service: so many machines as are given, enough or not, with their chance and latency") {
  Service service{3000, 0.2, 0, 1, std::nullopt};
  Server unsure = gpu;
  unsure.log_sd = 0.2;
  const auto enough = size_fleet(service, unsure, 0.9, 1.645);
  service.machines = enough.machines + 2;
  const auto more = size_fleet(service, unsure, 0.9, 1.645);
  CHECK(more.machines == enough.machines + 2);
  CHECK(more.machines_low == more.machines);  // their cost is certain
  CHECK(more.p_enough > enough.p_enough);
  CHECK(more.point.p99_s < enough.point.p99_s);
  service.machines = 1;  // 3000 requests/s of one that does 941
  const auto one = size_fleet(service, unsure, 0.9, 1.645);
  CHECK(one.point.regime == ServingRegime::saturated);
  CHECK(std::isinf(p99_of(service, one, 0.9, 1.645, Source::fitted).value));
  CHECK(one.p_enough < 1e-6);
}

TEST_CASE("service: the most load and the least latency are where the sizing itself turns") {
  Service service{3000, 0.2, 0, 1, std::nullopt};
  Server unsure = gpu;
  unsure.log_sd = 0.1;
  const double most = most_requests_per_s(service, unsure, 4, 0.9);
  service.requests_per_s = most * 0.999;
  CHECK(size_fleet(service, unsure, 0.9, 1.645).machines == 4);
  service.requests_per_s = most * 1.001;
  CHECK(size_fleet(service, unsure, 0.9, 1.645).machines == 5);
  const double least = least_p99_s(service, unsure, 0.9, 1.645);
  service.p99_s = least * 1.01;
  CHECK(any_number_answers(size_fleet(service, unsure, 0.9, 1.645)));
  service.p99_s = least * 0.99;
  CHECK_FALSE(any_number_answers(size_fleet(service, unsure, 0.9, 1.645)));
}

TEST_CASE("service: the better limit of the minibatch is the one that answers more in time") {
  const Service service{3000, 0.05, 0, 1, std::nullopt};
  Server small = gpu;
  small.max_batch = 4;
  const auto with_32 = size_fleet(service, gpu, 0.9, 1.645);
  const auto with_4 = size_fleet(service, small, 0.9, 1.645);
  CHECK(with_32.each_per_s == test::approx(most_requests_per_s(service, gpu, 1, 0.9)));
  CHECK(serves_better(with_32, with_4) == (with_32.each_per_s > with_4.each_per_s));
  CHECK(serves_better(with_4, with_32) == (with_4.each_per_s > with_32.each_per_s));
  CHECK_FALSE(serves_better(with_4, with_4));
  // One that cannot answer in time is the worse, whatever the other does.
  const auto never = size_fleet({3000, 0.001, 0, 1, std::nullopt}, gpu, 0.9, 1.645);
  CHECK(serves_better(with_4, never));
  CHECK_FALSE(serves_better(never, with_4));
}

TEST_CASE("service: latencies as people write them") {
  CHECK(parse_slo("p99=50ms", "--slo") == test::approx(0.05));
  CHECK(parse_latency("200us", "x") == test::approx(2e-4));
  CHECK(parse_latency("0", "x") == 0);
  for (const auto* wrong : {"p95=1s", "50ms", "p99=", "p99=fast", "p99=0", "p99=-1ms", "p99=2h"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(static_cast<void>(parse_slo(wrong, "--slo")), UsageError);
  }
}

// The short ways of service.cpp against both mishaps searched in full.
TEST_CASE("service: machines, loads and chances are those of both mishaps") {
  for (const double deviations : {-1.645, -0.5, 0.0, 1.28, 1.645}) {
    for (const double qps : {50.0, 900.0, 6000.0}) {
      for (const int replicas : {1, 4}) {
        CAPTURE(deviations);
        CAPTURE(qps);
        CAPTURE(replicas);
        const Service service{qps, 0.12, 0.005, 2, std::nullopt};
        const Server server{StepTimeLaw{0.002, 0.001}, 0.25, replicas, 32};
        const ServingLoad load{qps, 2, 32, 0.005, replicas};
        const auto both = mishaps(deviations, server.log_sd, p99_log_sd(load, 1));
        const auto needed = [&](const Mishap& mishap) {
          return machines_needed(
              server.time.changed(mishap.time_factor), load, 0.12, mishap.law_deviations);
        };
        const int machines = machines_enough(service, server, deviations);
        CHECK(machines == needed_in(both, deviations, needed));
        for (const int at_most : {1, machines - 1, machines, machines + 1, 1000}) {
          const int bounded = machines_enough(service, server, deviations, at_most);
          CHECK((machines <= at_most ? bounded == machines : deviations < 0 || bounded > at_most));
        }
        const auto most = [&](const Mishap& mishap) {
          return largest_requests_per_s(
              server.time.changed(mishap.time_factor), load, 0.12, mishap.law_deviations);
        };
        CHECK(most_requests_per_s(service, server, 1, normal_cdf(deviations)) ==
              test::approx(most_in(both, deviations, most)).epsilon(1e-4));
        const double chance = chance_enough(service, server, machines);
        CHECK(chance ==
              test::approx(chance_borne([&](double luck) {
                const auto lucks = mishaps(luck, server.log_sd, p99_log_sd(load, 1));
                return borne(lucks, luck, [&](const Mishap& mishap) {
                  ServingLoad all = load;
                  all.replicas *= machines;
                  return answers_within(
                      server.time.changed(mishap.time_factor), all, 0.12, mishap.law_deviations);
                });
              })).epsilon(1e-3));
      }
    }
  }
}

TEST_CASE("service: a fleet's steps never fall and never go below its floor") {
  for (const double qps : {300.0, 3000.0}) {
    const Service service{qps, 0.12, 0.005, 2, std::nullopt};
    const Server server{StepTimeLaw{0.002, 0.001}, 0.25, 1, 32};
    const auto fleet = size_fleet(service, server, 0.9, 1.645);
    const FleetSteps steps(service, fleet);
    const FleetFloor floor(service, fleet);
    double before = -1e9;
    for (int i = 0; i < 33; ++i) {  // the points of its grid
      const double factor = (i - 16) * server.log_sd / 4;
      const int machines = machines_needed(service, server, std::exp(factor));
      CHECK(steps.ln_machines(factor) ==
            (machines > 0 ? test::approx(std::log(double(machines) / fleet.machines))
                          : test::approx(INFINITY)));
      const double score = steps.ln_score(5, {}, factor);
      CHECK(score >= before);
      before = score;
    }
    for (double factor = -6 * server.log_sd; factor < 6 * server.log_sd; factor += 0.007) {
      CHECK(floor.ln_score(5, {}, factor) <= steps.ln_score(5, {}, factor) + 1e-12);
    }
  }
}
