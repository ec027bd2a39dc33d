#include "advisor/judge/fleet_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rightsize {
namespace {

constexpr double reach = 4;  // standard deviations on either side
constexpr int points = 33;

}  // namespace

template <typename Taken>
void FleetSteps::fill(double sd, int machines, const Taken& taken) {
  step_ = 2 * reach * sd / (points - 1);
  for (int i = 0; i < points; ++i) {
    const int count = taken(std::exp(i * step_ - reach * sd));
    ln_machines_.push_back(count > 0 ? std::log(static_cast<double>(count) / machines)
                                     : std::numeric_limits<double>::infinity());
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
  const double place = ln_factor / step_ + (points - 1) / 2.0;
  return ln_machines_[static_cast<std::size_t>(std::clamp(std::round(place), 0.0, points - 1.0))];
}

double FleetSteps::ln_score(double ln_expected,
                            const Objective& objective,
                            double ln_factor) const {
  return ln_expected + objective.cost * ln_machines(ln_factor) + objective.time * ln_factor;
}

}  // namespace rightsize
