#include "advisor/judge/rank_chances.h"

#include <utility>

#include "advisor/judge/chance.h"
#include "advisor/judge/pair_chance.h"

namespace rightsize {

RankChances::RankChances(const Query& query, std::vector<Ranked> options) : query_(query) {
  for (auto& [cost, outlook] : options) {
    costs_.push_back(std::move(cost));
    outlooks_.push_back(outlook);
    if (query.serves()) {
      floors_.push_back(query.tokens ? FleetFloor(*query.tokens, *outlook->tokens)
                                     : FleetFloor(*query.service, *outlook->service));
    }
  }
  fleet_of_.resize(floors_.size());
}

std::vector<double> RankChances::cheapest(int draws, std::uint64_t seed) {
  StepCosts steps;
  if (query_.serves()) {
    steps.exact = [&](std::size_t i, double ln_factor) { return exact(i, ln_factor); };
    steps.at_least = [&](std::size_t i, double ln_factor) { return at_least(i, ln_factor); };
  }
  return draw_chances(costs_, draws, seed, steps);
}

bool RankChances::ties_with_first(std::size_t i) {
  if (!query_.serves() && costs_.front().bill.moves_with_time() &&
      costs_[i].bill.moves_with_time()) {
    return cannot_be_told_apart(chance_of_beating(costs_.front(), costs_[i]));
  }
  if (!query_.serves()) {
    const StepCost by_bill = [&](std::size_t side, double ln_factor) {
      return costs_[side == 0 ? 0 : i].moved(ln_factor);
    };
    return cannot_be_told_apart(most_chance_of_beating(costs_.front(), costs_[i], by_bill)) &&
           cannot_be_told_apart(chance_of_beating(costs_.front(), costs_[i]));
  }
  const StepCost at_best = [&](std::size_t side, double ln_factor) {
    return side == 0 ? exact(0, ln_factor) : at_least(i, ln_factor);
  };
  const StepCost worked_out = [&](std::size_t side, double ln_factor) {
    return exact(side == 0 ? 0 : i, ln_factor);
  };
  return cannot_be_told_apart(most_chance_of_beating(costs_.front(), costs_[i], at_best)) &&
         cannot_be_told_apart(chance_of_beating(costs_.front(), costs_[i], worked_out));
}

double RankChances::exact(std::size_t i, double ln_factor) {
  if (fleet_of_[i] == nullptr) {
    const auto* outlook = outlooks_[i];
    const auto [found, fresh] =
        query_.tokens ? fleets_.try_emplace(outlook, *query_.tokens, *outlook->tokens)
                      : fleets_.try_emplace(outlook, *query_.service, *outlook->service);
    fleet_of_[i] = &found->second;
  }
  return fleet_of_[i]->ln_score(costs_[i].log_mean, query_.objective, ln_factor);
}

double RankChances::at_least(std::size_t i, double ln_factor) const {
  return floors_[i].ln_score(costs_[i].log_mean, query_.objective, ln_factor);
}

}  // namespace rightsize
