// The chance that machines are enough where both their times and the law of their queue may be off,
// against drawing both.
#include "advisor/judge/mishap.h"

#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "advisor/service/service.h"
#include "advisor/tokens/token_service.h"
#include "small_token_server.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

// The share of draws that are in time.
double drawn(const Service& service, const Server& server, int machines) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const ServingLoad load{service.requests_per_s,
                         service.group_size,
                         server.max_batch,
                         service.max_delay_s,
                         machines * server.replicas};
  constexpr int draws = 4000;
  int in_time = 0;
  for (int i = 0; i < draws; ++i) {
    const double times = std::exp(server.log_sd * normal(random));
    const double law = normal(random);
    in_time += answers_within(server.time.changed(times), load, service.p99_s, law) ? 1 : 0;
  }
  return static_cast<double>(in_time) / draws;
}

double drawn(const TokenService& service, const TokenServer& server, int machines) {
  std::mt19937 random(13);
  std::normal_distribution<double> normal;
  const DecodeLoad load{service.sequences_per_s, service.prompt_tokens, service.output_tokens};
  constexpr int draws = 2000;
  int in_time = 0;
  for (int i = 0; i < draws; ++i) {
    const double times = std::exp(server.log_sd * normal(random));
    const double law = normal(random);
    in_time +=
        decodes_within(server.replicas_of(machines, times), load, service.limits, law) ? 1 : 0;
  }
  return static_cast<double>(in_time) / draws;
}

}  // namespace

TEST_CASE("mishap: the chance that machines are enough is the drawn one") {
  for (const double log_sd : {0.03, 0.1, 0.27}) {
    for (const double group_size : {1.0, 4.0}) {
      const Server server{StepTimeLaw{0.002, 0.001}, log_sd, 1, 32};
      Service service{3000, 0.08, 0, group_size, std::nullopt};
      for (const double confidence : {0.5, 0.8, 0.9}) {
        const auto fleet = size_fleet(service, server, confidence, 1.645);
        CAPTURE(log_sd);
        CAPTURE(group_size);
        CAPTURE(confidence);
        REQUIRE(fleet.machines > 0);
        CHECK(fleet.p_enough >= confidence - 1e-3);
        CHECK(fleet.p_enough == test::approx(drawn(service, server, fleet.machines)).epsilon(0.06));
        CHECK(chance_enough(service, server, fleet.machines - 1) < confidence);
      }
    }
  }
}

TEST_CASE("mishap: the chance that machines write tokens in time is the drawn one") {
  for (const double log_sd : {0.05, 0.15, 0.27}) {
    for (const int replicas : {1, 4}) {
      const auto server = test::small_token_server(log_sd, replicas);
      TokenService service;
      service.sequences_per_s = 60;
      service.prompt_tokens = 512;
      service.output_tokens = 128;
      service.limits = {0.35, 0.030};
      for (const double confidence : {0.5, 0.8, 0.9}) {
        const auto fleet = size_token_fleet(service, server, confidence, 1.645);
        CAPTURE(log_sd);
        CAPTURE(replicas);
        CAPTURE(confidence);
        REQUIRE(fleet.machines > 1);
        CHECK(fleet.p_enough >= confidence - 1e-3);
        CHECK(fleet.p_enough == test::approx(drawn(service, server, fleet.machines)).epsilon(0.06));
        CHECK(chance_enough(service, server, fleet.machines - 1) < confidence);
      }
    }
  }
}

TEST_CASE("mishap: what the law may be off takes machines where times are certain") {
  const Server certain{StepTimeLaw{0.002, 0.001}, 0.0, 1, 32};
  int more = 0;
  int wide = 0;
  for (double qps = 2500; qps < 4000; qps += 100) {
    const Service bursts{qps, 0.08, 0, 4, std::nullopt};
    const auto fleet = size_fleet(bursts, certain, 0.95, 1.645);
    CAPTURE(qps);
    CHECK(fleet.machines >= machines_needed(bursts, certain, 1));
    CHECK(fleet.p_enough < 1);
    more += static_cast<int>(fleet.machines > machines_needed(bursts, certain, 1));
    wide += static_cast<int>(fleet.machines_low < fleet.machines_high);
  }
  CHECK(more > 0);
  CHECK(wide > 0);
}

TEST_CASE("mishap: deviations are the normal's") {
  CHECK(deviations_at(0.5) == test::approx(0).epsilon(1e-9));
  CHECK(deviations_at(0.95) == test::approx(1.6449).epsilon(1e-4));
  const auto both = mishaps(1, 0.3, 0.4);
  CHECK(both[0].time_factor == test::approx(std::exp(0.3)));
  CHECK(both[0].law_deviations == 0);
  CHECK(both[1].time_factor == test::approx(std::exp(0.3 * 0.6)));
  CHECK(both[1].law_deviations == test::approx(0.8));
}
