#include "advisor/service/service_ratio.h"

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
constexpr int token_points = 33;  // each takes milliseconds
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
  Normals normal;
  DrawnRatios drawn;
  std::vector<double> costs;
  double cheaper = 0;
  for (int i = 0; i < draws; ++i) {
    const auto [x, y] = draw(a.uncertain, b.uncertain, same_machine, normal);
    const double cost_a = first.response.cost(x);
    const double cost_b = second.response.cost(y);
    cheaper += cost_a < cost_b ? 1 : cost_a == cost_b ? 0.5 : 0;
    costs.push_back(ratio_of(cost_a, cost_b));
    drawn.p99s.push_back(ratio_of(first.response.p99_s(x), second.response.p99_s(y)));
    drawn.token_p99s.push_back(
        ratio_of(first.response.token_p99_s(x), second.response.token_p99_s(y)));
  }
  drawn.ratios = ratios_of(a, b, same_machine);  // of the throughput of one machine
  drawn.ratios.cost =
      interval(std::move(costs), b.option.cost.value / a.option.cost.value, a.option, b.option);
  drawn.ratios.p_first_cheaper = cheaper / draws;
  return drawn;
}

}  // namespace

Ratios fleet_ratios(const FleetSide& first, const FleetSide& second, bool same_machine) {
  const auto& a = first.appraisal.option;
  const auto& b = second.appraisal.option;
  auto drawn = draw_ratios(
      {{first.service, a}, first.appraisal}, {{second.service, b}, second.appraisal}, same_machine);
  drawn.ratios.p99 = interval(std::move(drawn.p99s), ratio_of(a.p99.value, b.p99.value), a, b);
  return std::move(drawn.ratios);
}

Ratios fleet_ratios(const TokenSide& first, const TokenSide& second, bool same_machine) {
  const auto& a = first.appraisal.option;
  const auto& b = second.appraisal.option;
  auto drawn = draw_ratios(
      {{first.service, a}, first.appraisal}, {{second.service, b}, second.appraisal}, same_machine);
  const auto ratio = [&](std::vector<double> all, double DecodeLatency::*which) {
    return interval(std::move(all),
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

Ratios ratios_between(const AskedSide& first, const AskedSide& second, bool same_machine) {
  if (first.query.service) {
    return fleet_ratios(FleetSide{*first.query.service, first.appraisal},
                        FleetSide{*second.query.service, second.appraisal},
                        same_machine);
  }
  if (first.query.tokens) {
    return fleet_ratios(TokenSide{*first.query.tokens, first.appraisal},
                        TokenSide{*second.query.tokens, second.appraisal},
                        same_machine);
  }
  return ratios_of(first.appraisal, second.appraisal, same_machine);
}

}  // namespace rightsize
