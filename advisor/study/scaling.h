// What more of the same GPU would bring: speed-up in one machine by the law of gradient exchange,
// and what an item costs on the machines that are sold with so many.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "advisor/machine/estimator.h"
#include "advisor/query/query.h"

namespace rightsize {

struct ScalingStep {
  int gpus = 1;
  Estimate throughput;  // items/s with the data already in memory
  // Throughput a GPU, as a share of the first step's; exactly 1 for that. Where memory is spared
  // otherwise (`split`) the step itself is another: then more may do better than in proportion.
  Estimate efficiency;
  std::string split;  // "parameters sharded, blocks recomputed"; empty: each GPU a whole copy
  // The cheapest machine with so many that the query's place, market, book and limits let pass and
  // that can do the job; nothing where none is sold.
  std::string machine;
  std::optional<double> price_per_hour;  // in `currency`, the query's
  std::string currency;
  // Of a machine rented by the month: its price, in `currency`, and the hours that a run pays for
  // each that it uses.
  std::optional<double> price_per_month = std::nullopt;
  double hours_paid = 1;
};

// For those of 1, 2, 4 and 8 GPUs of the chosen offer's kind and memory that can do the work, with
// what the job says of sharing it. `can_do`: of a machine that is sold, the job on all of it; asked
// from the cheapest on. Machines are paid for as the chosen one is, by time or by the month. Empty
// where nothing is known of the GPU or none of them can.
[[nodiscard]] std::vector<ScalingStep> scaling_of(Estimator& estimator,
                                                  const Query& query,
                                                  const Catalog& catalog,
                                                  const Offer& chosen,
                                                  int batch_per_gpu,
                                                  const std::function<bool(const Offer&)>& can_do);

}  // namespace rightsize
