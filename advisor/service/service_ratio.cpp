#include "advisor/service/service_ratio.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "advisor/explain/drawn_ratio.h"

namespace rightsize {
namespace {

constexpr double reach = 4;  // standard deviations on either side
constexpr int points = 81;
constexpr int token_points = 33;  // each takes milliseconds
constexpr double infinity = std::numeric_limits<double>::infinity();

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
  token_p99s_.assign(points, std::numeric_limits<double>::quiet_NaN());
}

FleetResponse::FleetResponse(const TokenService& service, const Option& option) {
  const auto& fleet = *option.tokens;
  const double sd = fleet.server.log_sd;
  step_ = 2 * reach * sd / (token_points - 1);
  const double each = option.cost.value / fleet.machines;
  for (int i = 0; i < token_points; ++i) {
    const double factor = std::exp(-reach * sd + i * step_);
    const int machines =
        service.machines ? fleet.machines : token_machines_needed(service, fleet.server, factor);
    const auto latency = token_point(service, fleet.server, fleet.machines, factor).latency;
    costs_.push_back(machines > 0 ? machines * each : infinity);
    p99s_.push_back(latency.first_token_p99_s);
    token_p99s_.push_back(latency.token_p99_s);
  }
}

std::size_t FleetResponse::nearest(double ln_factor) const {
  if (step_ <= 0) {
    return 0;
  }
  const auto last = static_cast<double>(costs_.size() - 1);
  return static_cast<std::size_t>(std::clamp(std::round(ln_factor / step_ + last / 2), 0.0, last));
}

double FleetResponse::cost(double ln_factor) const {
  return costs_[nearest(ln_factor)];
}

double FleetResponse::p99_s(double ln_factor) const {
  return p99s_[nearest(ln_factor)];
}

double FleetResponse::token_p99_s(double ln_factor) const {
  return token_p99s_[nearest(ln_factor)];
}

namespace {

struct Side {
  const FleetResponse response;
  const Appraisal& appraisal;
};

// Everything but the latencies as expected, which `first` and `second` have in other places.
struct DrawnRatios {
  Ratios ratios;
  std::vector<double> p99s;
  std::vector<double> token_p99s;
};

DrawnRatios draw_ratios(const Side& first, const Side& second, bool same_machine) {
  const auto& a = first.appraisal;
  const auto& b = second.appraisal;
  JointDraws draws(a.uncertain, b.uncertain, same_machine);
  DrawnRatios drawn;
  std::vector<double> costs;
  double cheaper = 0;
  for (int i = 0; i < JointDraws::enough; ++i) {
    const auto [x, y] = draws.next();
    const double cost_a = first.response.cost(x);
    const double cost_b = second.response.cost(y);
    cheaper += cost_a < cost_b ? 1 : cost_a == cost_b ? 0.5 : 0;
    costs.push_back(ratio_of(cost_a, cost_b));
    drawn.p99s.push_back(ratio_of(first.response.p99_s(x), second.response.p99_s(y)));
    drawn.token_p99s.push_back(
        ratio_of(first.response.token_p99_s(x), second.response.token_p99_s(y)));
  }
  drawn.ratios = ratios_of(a, b, same_machine);  // of the throughput of one machine
  drawn.ratios.cost = ratio_interval(
      std::move(costs), b.option.cost.value / a.option.cost.value, a.option, b.option);
  drawn.ratios.p_first_cheaper = cheaper / JointDraws::enough;
  return drawn;
}

}  // namespace

Ratios fleet_ratios(const FleetSide& first, const FleetSide& second, bool same_machine) {
  const auto& a = first.appraisal.option;
  const auto& b = second.appraisal.option;
  auto drawn = draw_ratios(
      {{first.service, a}, first.appraisal}, {{second.service, b}, second.appraisal}, same_machine);
  drawn.ratios.p99 =
      ratio_interval(std::move(drawn.p99s), ratio_of(a.p99.value, b.p99.value), a, b);
  return std::move(drawn.ratios);
}

Ratios fleet_ratios(const TokenSide& first, const TokenSide& second, bool same_machine) {
  const auto& a = first.appraisal.option;
  const auto& b = second.appraisal.option;
  auto drawn = draw_ratios(
      {{first.service, a}, first.appraisal}, {{second.service, b}, second.appraisal}, same_machine);
  const auto ratio = [&](std::vector<double> all, double DecodeLatency::*which) {
    return ratio_interval(
        std::move(all),
        ratio_of(a.tokens->expected.latency.*which, b.tokens->expected.latency.*which),
        a,
        b);
  };
  drawn.ratios.first_token_p99 = ratio(std::move(drawn.p99s), &DecodeLatency::first_token_p99_s);
  if (first.service.output_tokens > 1 && second.service.output_tokens > 1) {
    drawn.ratios.token_p99 = ratio(std::move(drawn.token_p99s), &DecodeLatency::token_p99_s);
  }
  return std::move(drawn.ratios);
}

}  // namespace rightsize
