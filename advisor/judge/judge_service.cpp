// Judging a candidate as a server of requests: how many of them it takes.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/judge/judge.h"
#include "models/laws/minibatch_rates.h"

namespace rightsize {

// A GPU's job goes by the same data path whatever its minibatches; a CPU by its steps of that size.
const Judge::Basis* Judge::basis_of(const Candidate& candidate,
                                    const Setting& minibatch,
                                    Refusal& refusal) {
  if (!candidate.offer->gpu.empty()) {
    return basis_for(candidate, refusal);
  }
  Candidate one = candidate;
  one.setting = minibatch;
  one.way.batch = minibatch.workload.batch;
  return basis_for(one, refusal);
}

std::optional<MinibatchTime> Judge::minibatch_time(const Candidate& candidate,
                                                   const Prediction& largest,
                                                   Refusal& refusal) {
  const int replicas = std::max(1, static_cast<int>(candidate.offer->gpus));
  return minibatch_time_of(candidate.way.batch, [&](int size) -> std::optional<double> {
    if (size == candidate.way.batch) {
      return largest.items_per_s / replicas;
    }
    const auto found = std::find_if(
        candidate.minibatches.begin(), candidate.minibatches.end(), [&](const Setting& setting) {
          return setting.workload.batch == size;
        });
    if (found == candidate.minibatches.end()) {
      if (size < candidate.way.batch) {
        refusal = {
            fmt::format("minibatches of {} do not fit, of {} do", size, candidate.way.batch)};
      }
      return std::nullopt;
    }
    const Basis* basis = basis_of(candidate, *found, refusal);
    return basis == nullptr
               ? std::nullopt
               : std::optional(predicted_items_per_s(basis->predictor.laws(), *found) / replicas);
  });
}

std::optional<Server> Judge::server_of(const Candidate& candidate,
                                       const Prediction& largest,
                                       Refusal& refusal) {
  const auto time = minibatch_time(candidate, largest, refusal);
  if (!time) {
    return std::nullopt;
  }
  return Server{*time,
                largest.log_sd,
                std::max(1, static_cast<int>(candidate.offer->gpus)),
                candidate.way.batch};
}

std::optional<Server> Judge::server(const Candidate& candidate, Refusal& refusal) {
  const Basis* basis = basis_for(candidate, refusal);
  return basis == nullptr ? std::nullopt
                          : server_of(candidate, foreseen(*basis, candidate), refusal);
}

std::optional<Outlook> Judge::serving(const ServerFleet& fleet, Refusal& refusal) const {
  if (!any_number_answers(fleet)) {
    const bool expected = fleet.machines > 0 && fleet.machines <= most_machines;
    refusal = {
        fmt::format("{}too slow to answer in time, however many", expected ? "might be " : ""),
        Lacking::speed};
    return std::nullopt;
  }
  Outlook outlook;
  outlook.nodes = fleet.machines;
  outlook.hours = query_.hours_of_month();
  outlook.log_sd = fleet.server.log_sd;
  outlook.p_in_time = fleet.p_enough;
  outlook.service = fleet;
  return outlook;
}

bool Judge::foresee_service(const Candidate& candidate,
                            int most,
                            Outlook& outlook,
                            Refusal& refusal) {
  const auto server = server_of(candidate, outlook.prediction, refusal);
  if (!server) {
    return false;
  }
  auto& fleet = fleets_[*server];
  if (!fleet.of) {
    if (most <= fleet.too_few) {
      return false;
    }
    const auto found = fewest(*query_.service, *server, query_.confidence, most);
    if (found.machines > most) {
      fleet.too_few = most;
      return false;
    }
    fleet.of = found;
  }
  if (fleet.of->machines > most) {
    return false;
  }
  if (!fleet.rated && fleet.of->machines > 0) {
    rate_fleet(*query_.service, query_.confidence, normal_90, *fleet.of);
    fleet.rated = true;
  }
  const auto served = serving(*fleet.of, refusal);
  if (!served) {
    return false;
  }
  outlook.nodes = served->nodes;
  outlook.hours = served->hours;
  outlook.log_sd = served->log_sd;
  outlook.p_in_time = served->p_in_time;
  outlook.service = served->service;
  return true;
}

void Judge::fill_service(const Outlook& outlook, const Standing& standing, Option& option) const {
  auto& fleet = option.service.emplace(*outlook.service);
  complete_fleet(*query_.service, query_.confidence, normal_90, fleet);
  option.p_deadline = standing.p_limits > 0 ? fleet.p_enough : 0;  // 0: beyond the budget
}

std::string Judge::shortfall_of_service(const Outlook& outlook, const Standing& standing) const {
  const bool affordable = !query_.budget || standing.cost <= query_.budget->approximate();
  return affordable            ? "might not answer in time"
         : is_in_time(outlook) ? "costs more than the budget a month"
                               : "might not answer in time and costs more than the budget a month";
}

}  // namespace rightsize
