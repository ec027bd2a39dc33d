// Judging a candidate as a server of requests: how many of them, and a month's bill.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/judge.h"

namespace rightsize {
namespace {

constexpr int most_machines = 100'000;
constexpr double month_s = static_cast<double>(hours_per_month) * 3600;

}  // namespace

bool Judge::fill_service(const Candidate& candidate,
                         const Prediction& prediction,
                         Option& option,
                         std::string& reason) {
  Candidate alone = candidate;
  alone.setting = *candidate.alone;
  alone.batch = 1;
  const Prediction* single = this->prediction(alone, reason);
  if (single == nullptr) {
    return false;
  }
  const double rate = prediction.items_per_s;
  const int replicas = std::max(1, static_cast<int>(candidate.offer->gpus));
  const Server server{
      line_through(
          replicas / single->items_per_s, candidate.batch, replicas * candidate.batch / rate),
      prediction.log_sd,
      replicas,
      candidate.batch};
  const auto fleet = size_fleet(*query_.service, server, query_.confidence, normal_90);
  if (fleet.machines == 0 || fleet.machines > most_machines) {
    reason = "too slow to answer in time, however many";
    return false;
  }
  if (fleet.machines_high == 0 || fleet.machines_high > most_machines) {
    reason = "might be too slow to answer in time, however many";
    return false;
  }
  const auto& rule = evidence_.catalog.billing(candidate.offer->provider, candidate.offer->book);
  const auto cost = [&](int machines) { return cost_of(candidate, rule, month_s, machines); };
  option.nodes = fleet.machines;
  option.service = fleet;
  const double month_h = static_cast<double>(hours_per_month);
  option.hours = {month_h, month_h, month_h, evidence_.model.confidence, "h", option.hours.source};
  option.cost.value = cost(fleet.machines);
  option.cost.low = cost(std::min(fleet.machines_low, fleet.machines));
  option.cost.high = cost(std::max(fleet.machines_high, fleet.machines));
  const double requests = query_.service->requests_per_s * month_s;
  option.cost_per_1k_requests = option.cost.value / requests * 1000;
  option.score = query_.objective.score(option.cost.value, fleet.point.p99_s);
  const bool affordable = !query_.budget || option.cost.value <= query_.budget->approximate();
  option.p_deadline = affordable ? fleet.p_enough : 0;
  // As many machines as the confidence takes; the last digits of a bisection aside.
  option.satisfies = affordable && fleet.p_enough >= query_.confidence - 1e-3;
  option.shortfall = affordable ? "might not answer in time" : "costs more than the budget a month";
  if (option.satisfies) {
    option.shortfall.clear();
  }
  return true;
}

}  // namespace rightsize
