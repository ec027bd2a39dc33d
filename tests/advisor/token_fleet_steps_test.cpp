// The steps of a fleet that writes tokens, and the floor under them, against sizing it anew.
#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "advisor/judge/fleet_steps.h"
#include "small_token_server.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

struct Asked {
  TokenService service;
  TokenFleet fleet;
};

// Any load, lengths and limits; fleets of one machine to hundreds, and none.
Asked drawn(std::mt19937& random) {
  const auto between = [&](double low, double high) {
    return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random));
  };
  auto server = test::small_token_server(between(0.05, 0.4), random() % 2 == 0 ? 1 : 4);
  TokenService service;
  service.sequences_per_s = between(0.1, 500);
  service.prompt_tokens = server.lengths.prompt_tokens = static_cast<int>(between(16, 2000));
  service.output_tokens = server.lengths.output_tokens = static_cast<int>(between(1, 500));
  service.limits.token_s = between(0.02, 0.2);
  service.limits.first_token_s = random() % 2 == 0 ? HUGE_VAL : between(0.2, 5);
  return {service, size_token_fleet(service, server, 0.9, 1.645)};
}

double brute_force(const Asked& asked, double ln_factor) {
  const int taken = token_machines_needed(asked.service, asked.fleet.server, std::exp(ln_factor));
  return taken > 0 ? std::log(static_cast<double>(taken) / asked.fleet.machines) : HUGE_VAL;
}

}  // namespace

TEST_CASE("token fleet steps: at the points of the grid they are what sizing anew gives") {
  std::mt19937 random(1);
  int compared = 0;
  int steps_seen = 0;
  for (int i = 0; i < 60; ++i) {
    const auto asked = drawn(random);
    if (!any_number_writes(asked.fleet)) {
      continue;
    }
    const FleetSteps steps(asked.service, asked.fleet);
    const double step = 8 * asked.fleet.server.log_sd / 32;
    double before = -HUGE_VAL;
    for (int at = -16; at <= 16; ++at) {
      CAPTURE(at);
      const double machines = steps.ln_machines(at * step * (1 + 1e-9));
      const double anew = brute_force(asked, at * step);
      CHECK((machines == anew || machines == test::approx(anew)));  // infinite: no number writes
      CHECK(machines >= before);                                    // never fewer when slower
      steps_seen += machines > before ? 1 : 0;
      before = machines;
      ++compared;
    }
    // Beyond the grid its ends answer.
    CHECK(steps.ln_machines(99) == steps.ln_machines(16 * step));
    CHECK(steps.ln_machines(-99) == steps.ln_machines(-16 * step));
  }
  CHECK(compared > 500);
  CHECK(steps_seen > 200);
}

TEST_CASE("token fleet floor: never above the steps, by any objective, and near them when full") {
  std::mt19937 random(2);
  double nearest = HUGE_VAL;
  int compared = 0;
  for (int i = 0; i < 60; ++i) {
    const auto asked = drawn(random);
    if (!any_number_writes(asked.fleet)) {
      continue;
    }
    const FleetSteps steps(asked.service, asked.fleet);
    const FleetFloor floor(asked.service, asked.fleet);
    for (const Objective objective : {Objective{1, 0}, Objective{0, 1}, Objective{0.7, 0.3}}) {
      for (int k = 0; k < 40; ++k) {
        const double ln_factor =
            5 * asked.fleet.server.log_sd * std::normal_distribution<double>()(random);
        const double above = steps.ln_score(3, objective, ln_factor);
        const double below = floor.ln_score(3, objective, ln_factor);
        CAPTURE(ln_factor);
        CHECK(below <= above + 1e-9);
        nearest = objective.cost == 1 ? std::min(nearest, above - below) : nearest;
        ++compared;
      }
    }
  }
  CHECK(compared > 2000);
  CHECK(nearest < 0.3);  // 0.85 of what they can write, and the half step, lie between
}

TEST_CASE("token fleet steps: a number that is given stays, however slow they turn out") {
  auto server = test::small_token_server(0.2);
  TokenService service;
  service.sequences_per_s = 5;
  service.prompt_tokens = 512;
  service.output_tokens = 128;
  service.limits.token_s = 0.05;
  service.machines = 3;
  const auto fleet = size_token_fleet(service, server, 0.9, 1.645);
  const FleetSteps steps(service, fleet);
  const FleetFloor floor(service, fleet);
  for (const double ln_factor : {-1.0, 0.0, 0.5, 3.0}) {
    CHECK(steps.ln_machines(ln_factor) == 0);
    CHECK(floor.ln_score(2, {1, 0}, ln_factor) <= steps.ln_score(2, {1, 0}, ln_factor));
  }
}
