// What fields of candidates that keep what they worked out have to agree with: every candidate
// judged from the start.
#pragma once

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/full_name.h"
#include "advisor/judge/judge.h"
#include "advisor/judge/near_ties.h"
#include "advisor/judge/standing_order.h"
#include "advisor/suppose/supposal.h"

namespace rightsize::test {

// Outlives the field: disks that no table prices are the maker's own.
inline CandidateMaker maker_of(const Query& query, const Evidence& evidence) {
  return {query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu()};
}

inline std::vector<Candidate> field_of(CandidateMaker& maker, const Evidence& evidence) {
  std::vector<Candidate> field;
  Refusal refusal;
  for (const auto& offer : evidence.catalog.offers()) {
    auto made = maker.all(offer, refusal).made;
    std::move(made.begin(), made.end(), std::back_inserter(field));
  }
  return field;
}

// One that satisfies.
struct JudgedAnew {
  std::string name;
  Standing standing;
  NearTie tie;
};

// Every candidate judged anew, as search() does: the best way of each machine, what costs as much
// in the order of near ties.
inline std::string judged_anew(const Query& query,
                               const Evidence& evidence,
                               const std::vector<Candidate>& field,
                               const Supposal& supposal) {
  Judge judge(query, evidence);
  std::vector<JudgedAnew> found;
  for (auto candidate : field) {
    if (supposal.meant && supposal.meant(candidate)) {
      supposal.change(candidate);
    }
    Refusal refusal;
    auto outlook = judge.outlook(candidate, refusal);
    const auto& offer = *candidate.offer;
    if (outlook && offer.market == Market::spot) {
      outlook = judge.interrupted(candidate, *outlook, refusal);
    }
    if (!outlook) {
      continue;
    }
    const auto standing = judge.standing(candidate, *outlook, offer, judge.rule_of(offer));
    if (standing.satisfies) {
      found.push_back({full_name(offer), standing, NearTie(candidate, standing)});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const JudgedAnew& a, const JudgedAnew& b) {
    return better(a.standing, b.standing);
  });
  std::set<std::string> seen;
  std::erase_if(found, [&](const JudgedAnew& one) { return !seen.insert(one.name).second; });
  if (knows_near_ties(query)) {
    order_near_ties(found, [](const JudgedAnew& one) { return one.tie; });
  }
  return found.empty() ? "" : found.front().name;
}

}  // namespace rightsize::test
