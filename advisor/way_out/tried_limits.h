// Limits on waiting that are tried in place of those that no machine keeps to, and which of them is
// named.
#pragma once

#include <string>
#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/query/query.h"
#include "advisor/search.h"

namespace rightsize {

// Beyond what a machine does alone there is to be room for a load.
inline constexpr double tried_factors[] = {1.1, 1.25, 1.5, 2, 3};

// The first of the limits that is met with no more than twice the machines of the widest: one that
// is met with idle machines alone takes any number of them. -1: none is met. `machines`: 0 where a
// limit is met by no number.
[[nodiscard]] int first_sensible(const std::vector<int>& machines);

// "by 3 of it"
[[nodiscard]] std::string of_them(int machines);

// Two digits, upwards: what is named has to be enough.
[[nodiscard]] double rounded_up(double seconds);

// Of what a machine does, three digits: "17 ms".
[[nodiscard]] std::string about(double seconds);

// Every candidate of these machines.
template <typename Look>
void look_at(const Evidence& evidence,
             const Query& query,
             const std::vector<const Offer*>& machines,
             Look look) {
  CandidateMaker maker(
      query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu());
  std::string reason;
  for (const auto* machine : machines) {
    for (const auto& candidate : maker.all(*machine, reason).made) {
      look(candidate);
    }
  }
}

}  // namespace rightsize
