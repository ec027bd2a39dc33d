#include "advisor/service_ratio.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace rightsize {
namespace {

constexpr double reach = 4;  // standard deviations on either side
constexpr int points = 81;
constexpr int draws = 4000;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Standard normals, the same on every machine: Box and Muller, as std::normal_distribution is not.
class Normals {
 public:
  double operator()() {
    const double u = (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53;
    const double v = static_cast<double>(random_() >> 11) * 0x1p-53;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

 private:
  std::mt19937_64 random_{1};
};

// ln of how much slower than expected each side is, drawn together.
std::array<double, 2> draw(const UncertainCost& a,
                           const UncertainCost& b,
                           bool same_machine,
                           Normals& normal) {
  std::array<double, 2> sum{};
  const auto add = [&](double sd_a, double sd_b, bool shared) {
    const double x = normal();
    const double y = normal();
    sum[0] += sd_a * x;
    sum[1] += sd_b * (shared ? x : y);
  };
  add(a.model_sd, b.model_sd, true);
  add(a.accelerator_sd, b.accelerator_sd, a.gpu == b.gpu);
  add(a.cpu_speed_sd, b.cpu_speed_sd, a.cpu == b.cpu);
  add(a.disk_sd, b.disk_sd, a.disk == b.disk);
  add(a.own_sd, b.own_sd, same_machine);
  return sum;
}

// What both cannot do is no ratio; what one of them cannot do is one without end.
double ratio_of(double first, double second) {
  return std::isinf(first) ? (std::isinf(second) ? 1.0 : 0.0) : second / first;
}

Estimate interval(std::vector<double> ratios, double value, const Option& a, const Option& b) {
  std::sort(ratios.begin(), ratios.end());
  const double outside = (1 - a.cost.confidence) / 2;
  const auto at = [&](double share) {
    return ratios[static_cast<std::size_t>(share * static_cast<double>(ratios.size() - 1))];
  };
  return {value,
          std::min(value, at(outside)),
          std::max(value, at(1 - outside)),
          a.cost.confidence,
          "1",
          weaker(a.cost.source, b.cost.source)};
}

}  // namespace

FleetResponse::FleetResponse(const Service& service, const Option& option) {
  const auto& fleet = *option.service;
  const double sd = fleet.server.log_sd;
  step_ = 2 * reach * sd / (points - 1);
  const double each = option.cost.value / fleet.machines;
  for (int i = 0; i < points; ++i) {
    const double factor = std::exp(-reach * sd + i * step_);
    const int machines =
        service.machines ? fleet.machines : machines_needed(service, fleet.server, factor);
    costs_.push_back(machines > 0 ? machines * each : infinity);
    p99s_.push_back(point_of(service, fleet.server, fleet.machines, factor).p99_s);
  }
}

std::size_t FleetResponse::nearest(double ln_factor) const {
  if (step_ <= 0) {
    return 0;
  }
  const double place = ln_factor / step_ + (points - 1) / 2.0;
  return static_cast<std::size_t>(std::clamp(std::round(place), 0.0, points - 1.0));
}

double FleetResponse::cost(double ln_factor) const {
  return costs_[nearest(ln_factor)];
}

double FleetResponse::p99_s(double ln_factor) const {
  return p99s_[nearest(ln_factor)];
}

Ratios fleet_ratios(const FleetSide& first, const FleetSide& second, bool same_machine) {
  const auto& a = first.appraisal;
  const auto& b = second.appraisal;
  const FleetResponse response_a(first.service, a.option);
  const FleetResponse response_b(second.service, b.option);
  Normals normal;
  std::vector<double> costs;
  std::vector<double> p99s;
  double cheaper = 0;
  for (int i = 0; i < draws; ++i) {
    const auto [x, y] = draw(a.uncertain, b.uncertain, same_machine, normal);
    const double cost_a = response_a.cost(x);
    const double cost_b = response_b.cost(y);
    cheaper += cost_a < cost_b ? 1 : cost_a == cost_b ? 0.5 : 0;
    costs.push_back(ratio_of(cost_a, cost_b));
    p99s.push_back(ratio_of(response_a.p99_s(x), response_b.p99_s(y)));
  }
  Ratios ratios = ratios_of(a, b, same_machine);  // of the throughput of one machine
  ratios.cost =
      interval(std::move(costs), b.option.cost.value / a.option.cost.value, a.option, b.option);
  ratios.p99 = interval(
      std::move(p99s), ratio_of(a.option.p99.value, b.option.p99.value), a.option, b.option);
  ratios.p_first_cheaper = cheaper / draws;
  return ratios;
}

}  // namespace rightsize
