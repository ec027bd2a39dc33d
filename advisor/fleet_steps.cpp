#include "advisor/fleet_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rightsize {
namespace {

constexpr double reach = 4;  // standard deviations on either side
constexpr int points = 33;

}  // namespace

FleetSteps::FleetSteps(const Service& service, const ServerFleet& fleet) {
  const double sd = fleet.server.log_sd;
  if (service.machines || sd <= 0) {
    ln_machines_ = {0};
    return;
  }
  step_ = 2 * reach * sd / (points - 1);
  for (int i = 0; i < points; ++i) {
    const int taken = machines_needed(service, fleet.server, std::exp(i * step_ - reach * sd));
    ln_machines_.push_back(taken > 0 ? std::log(static_cast<double>(taken) / fleet.machines)
                                     : std::numeric_limits<double>::infinity());
  }
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
