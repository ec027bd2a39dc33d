#include "advisor/listed_gpus.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/constraint.h"
#include "advisor/query/job_work.h"
#include "models/laws/gpu_share.h"
#include "pricing/on_prem.h"

namespace rightsize {

void note_listed_gpus(const Catalog& catalog, Recommendation& answer) {
  constexpr std::size_t most_kinds = 12;
  const auto& query = answer.query;
  if (query.infra.empty() || !has_network(query)) {
    return;
  }
  Query anywhere = query;
  anywhere.infra.clear();
  const OfferConstraints constraints(anywhere);
  std::map<std::string, std::set<std::string>> listed;
  for (const auto& offer : catalog.offers()) {
    const bool asked =
        std::any_of(query.infra.begin(), query.infra.end(), [&](const std::string& pattern) {
          return pattern.substr(0, pattern.find('/')) == offer.provider;
        });
    if (asked && !is_own(offer) && !offer.gpu.empty() && constraints.in_scope(offer)) {
      const auto share = gpu_share(offer.gpu);
      listed[offer.provider].emplace(share ? share->whole : offer.gpu);
    }
  }
  for (const auto& [provider, gpus] : listed) {
    if (gpus.size() <= most_kinds) {
      answer.assumptions.push_back(
          fmt::format("of {} the price tables have {}: other GPUs that it may rent are not "
                      "considered",
                      provider,
                      fmt::join(gpus, ", ")));
    }
  }
}

}  // namespace rightsize
