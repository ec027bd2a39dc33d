// Judging a candidate as a server of requests: how many of them it takes.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/judge.h"

namespace rightsize {
namespace {

bool same_minibatch(const Setting& a, const Setting& b) {
  return a.workload.batch == b.workload.batch;
}

}  // namespace

std::optional<MinibatchTime> Judge::minibatch_time(const Candidate& candidate,
                                                   const Prediction& largest,
                                                   std::string& reason) {
  const int replicas = std::max(1, static_cast<int>(candidate.offer->gpus));
  std::vector<MinibatchTime::Point> points;
  Candidate one = candidate;
  for (const auto& setting : candidate.minibatches) {
    double rate = largest.items_per_s;
    if (!same_minibatch(setting, candidate.setting)) {
      one.setting = setting;
      one.way.batch = setting.workload.batch;
      const Basis* basis = basis_for(one, reason);
      if (basis == nullptr) {
        return std::nullopt;
      }
      rate = basis->predictor.predict(setting, one.uncertainty).items_per_s;
    }
    points.push_back({setting.workload.batch, replicas * setting.workload.batch / rate});
  }
  return MinibatchTime(points);
}

bool Judge::foresee_service(const Candidate& candidate, Outlook& outlook, std::string& reason) {
  const auto time = minibatch_time(candidate, outlook.prediction, reason);
  if (!time) {
    return false;
  }
  const Server server{*time,
                      outlook.prediction.log_sd,
                      std::max(1, static_cast<int>(candidate.offer->gpus)),
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
