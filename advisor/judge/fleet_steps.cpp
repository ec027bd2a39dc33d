#include "advisor/judge/fleet_steps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace rightsize {
namespace {

constexpr double reach = 4;  // standard deviations on either side
constexpr std::size_t points = 33;

}  // namespace

// The slower, the more it takes: between two points of as many all are the same, and are not asked.
template <typename Taken>
void FleetSteps::fill(double sd, int machines, const Taken& taken) {
  step_ = 2 * reach * sd / (points - 1);
  std::array<double, points> counts{};  // infinite: no number is enough
  const auto ask = [&](std::size_t i) {
    const int count = taken(std::exp(static_cast<double>(i) * step_ - reach * sd));
    counts.at(i) = count > 0 ? count : std::numeric_limits<double>::infinity();
  };
  ask(0);
  ask(points - 1);
  static_assert(std::has_single_bit(points - 1), "halved down to neighbours");
  for (std::size_t half = (points - 1) / 2; half > 0; half /= 2) {
    for (std::size_t i = half; i < points; i += 2 * half) {
      if (counts.at(i - half) == counts.at(i + half)) {
        counts.at(i) = counts.at(i - half);
      } else {
        ask(i);
      }
    }
  }
  for (const double count : counts) {
    ln_machines_.push_back(std::log(count / machines));
  }
}

FleetSteps::FleetSteps(const Service& service, const ServerFleet& fleet) {
  if (service.machines || fleet.server.log_sd <= 0) {
    ln_machines_ = {0};
    return;
  }
  fill(fleet.server.log_sd, fleet.machines, [&](double factor) {
    return machines_needed(service, fleet.server, factor);
  });
}

FleetSteps::FleetSteps(const TokenService& service, const TokenFleet& fleet) {
  if (service.machines) {
    ln_machines_ = {0};
    return;
  }
  fill(fleet.server.log_sd, fleet.machines, [&](double factor) {
    return token_machines_needed(service, fleet.server, factor);
  });
}

double FleetSteps::ln_machines(double ln_factor) const {
  if (step_ <= 0) {
    return ln_machines_.front();
  }
  constexpr double last = points - 1;
  const double nearest = ln_factor / step_ + last / 2 + 0.5;
  return ln_machines_[static_cast<std::size_t>(std::clamp(nearest, 0.0, last))];
}

double FleetSteps::ln_score(double ln_expected,
                            const Objective& objective,
                            double ln_factor) const {
  const double machines = ln_machines(ln_factor);
  return std::isinf(machines)
             ? machines  // it cannot answer at all, whatever counts
             : ln_expected + objective.cost * machines + objective.time * ln_factor;
}

FleetFloor::FleetFloor(const Service& service, const ServerFleet& fleet) {
  if (!service.machines) {
    ln_busy_ = std::log(fleet.point.utilisation);
    ln_one_ = -std::log(fleet.machines);
    reach_ = reach * fleet.server.log_sd;
  }
}

FleetFloor::FleetFloor(const TokenService& service, const TokenFleet& fleet) {
  if (!service.machines) {
    ln_busy_ = std::log(fleet.utilisation);
    ln_one_ = -std::log(fleet.machines);
    reach_ = reach * fleet.server.log_sd;
  }
}

double FleetFloor::ln_score(double ln_expected,
                            const Objective& objective,
                            double ln_factor) const {
  // The steps end at their reach, and take a factor for the nearest of their points.
  const double nearest = std::clamp(ln_factor, -reach_, reach_) - reach_ / (points - 1);
  const double ln_machines = std::max(ln_busy_ + nearest, ln_one_);
  return ln_expected + objective.cost * ln_machines + objective.time * ln_factor;
}

}  // namespace rightsize
