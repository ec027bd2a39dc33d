// What fields of candidates that keep what they worked out have to agree with: every candidate
// judged from the start.
#pragma once

#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/full_name.h"
#include "advisor/judge/judge.h"
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

// Every candidate judged anew, as search() does.
inline std::string judged_anew(const Query& query,
                               const Evidence& evidence,
                               const std::vector<Candidate>& field,
                               const Supposal& supposal) {
  Judge judge(query, evidence);
  std::optional<Standing> best;
  std::string name;
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
    if (standing.satisfies && (!best || better(standing, *best))) {
      best = standing;
      name = full_name(offer);
    }
  }
  return name;
}

}  // namespace rightsize::test
