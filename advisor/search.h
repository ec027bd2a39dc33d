// The search: every offer x disk x way (batch, nodes, where pictures are preprocessed) is a
// candidate; constraints pass it or give a reason; what is left is ranked by the whole bill of the
// whole job, the best way of each offer. Exhaustive: nothing that could win is left out.
#pragma once

#include "advisor/query/query.h"
#include "advisor/recommendation.h"
#include "models/laws/cpu_speed.h"
#include "models/laws/gpu_rate.h"
#include "models/model.h"
#include "pricing/catalog.h"

namespace rightsize {

// Everything the answer is drawn from; borrowed.
struct Evidence {
  const Model& model;
  const Catalog& catalog;
  const GpuRates& gpu_rates;
  const CpuSpeeds& cpu_speeds;
};

struct SearchOptions {
  std::size_t max_options = 50;  // kept in the recommendation
  std::uint64_t seed = 1;        // of the draws behind p_cheapest
  int draws = 2000;
};

// Throws UnknownNetwork, ModelError (the data path was never measured) or UsageError.
[[nodiscard]] Recommendation search(const Query& query,
                                    const Evidence& evidence,
                                    const SearchOptions& options = {});

}  // namespace rightsize
