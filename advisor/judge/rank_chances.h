// How sure the ranks of an answer are: P(cheapest) of each option, and who cannot be told apart
// from the first. A fleet's cost moves by whole machines, worked out for those whose chance depends
// on it and for no others.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "advisor/judge/fleet_steps.h"
#include "advisor/judge/judge.h"
#include "advisor/judge/uncertain_cost.h"
#include "advisor/query/query.h"

namespace rightsize {

struct Ranked {
  UncertainCost cost;
  const Outlook* outlook = nullptr;
};

class RankChances {
 public:
  // The query and the outlooks are borrowed. The first is the one recommended.
  RankChances(const Query& query, std::vector<Ranked> options);

  // Deterministic for a seed.
  [[nodiscard]] std::vector<double> cheapest(int draws, std::uint64_t seed);
  // Of the `i`-th and the first, alone.
  [[nodiscard]] bool ties_with_first(std::size_t i);

 private:
  // ln(score) where everything takes exp(`ln_factor`) times as long, and no more than that.
  [[nodiscard]] double exact(std::size_t i, double ln_factor);
  [[nodiscard]] double at_least(std::size_t i, double ln_factor) const;

  const Query& query_;
  std::vector<UncertainCost> costs_;
  std::vector<const Outlook*> outlooks_;
  // Of a query that serves.
  std::vector<FleetFloor> floors_;
  std::map<const Outlook*, FleetSteps> fleets_;
  std::vector<const FleetSteps*> fleet_of_;
};

}  // namespace rightsize
