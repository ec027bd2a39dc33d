// Every disk and way in which machines could do a job, one after the other.
#pragma once

#include <string>
#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/query/query.h"
#include "advisor/search.h"

namespace rightsize {

// Every candidate of these machines.
template <typename Look>
void look_at(const Evidence& evidence,
             const Query& query,
             const std::vector<const Offer*>& machines,
             Look look) {
  CandidateMaker maker(
      query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu());
  Refusal refusal;
  for (const auto* machine : machines) {
    for (const auto& candidate : maker.all(*machine, refusal).made) {
      look(candidate);
    }
  }
}

}  // namespace rightsize
