// What dividing a mixture's experts among its GPUs would be worth, where nobody asked for it: with
// parameters sharded every GPU gathers all experts of a layer, of which a token takes a few.
#pragma once

#include <string>

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// "experts are gathered ... --expert-parallel 64 ..."; "" where it is asked for, or hardly faster.
// `rate` is the query's.
[[nodiscard]] std::string experts_hint(const GpuRates& rates,
                                       const NetworkFacts& facts,
                                       const AcceleratorQuery& query,
                                       const AcceleratorRate& rate);

}  // namespace rightsize
