// Judging a candidate as a server of requests: how many of them it takes.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/judge.h"

namespace rightsize {
bool Judge::foresee_service(const Candidate& candidate, Outlook& outlook, std::string& reason) {
  Candidate alone = candidate;
  alone.setting = *candidate.alone;
  alone.way.batch = 1;
  const Basis* basis = basis_for(alone, reason);
  if (basis == nullptr) {
    return false;
  }
  const double single_rate = basis->predictor.predict(alone.setting, alone.uncertainty).items_per_s;
  const double rate = outlook.prediction.items_per_s;
  const int replicas = std::max(1, static_cast<int>(candidate.offer->gpus));
  const Server server{
      line_through(
          replicas / single_rate, candidate.way.batch, replicas * candidate.way.batch / rate),
      outlook.prediction.log_sd,
      replicas,
      candidate.way.batch};
  const auto fleet = size_fleet(*query_.service, server, query_.confidence, normal_90);
  if (!any_number_answers(fleet)) {
    const bool expected = fleet.machines > 0 && fleet.machines <= most_machines;
    reason = fmt::format("{}too slow to answer in time, however many", expected ? "might be " : "");
    return false;
  }
  outlook.nodes = fleet.machines;
  outlook.hours = static_cast<double>(hours_per_month);
  outlook.log_sd = outlook.prediction.log_sd;
  outlook.p_in_time = fleet.p_enough;
  outlook.service = fleet;
  return true;
}

std::string Judge::shortfall_of_service(const Standing& standing) const {
  const bool affordable = !query_.budget || standing.cost <= query_.budget->approximate();
  return affordable ? "might not answer in time" : "costs more than the budget a month";
}

}  // namespace rightsize
