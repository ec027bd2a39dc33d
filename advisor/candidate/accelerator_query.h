// What a job asks of an offer's GPUs.
#pragma once

#include "advisor/candidate/accelerator.h"
#include "advisor/query/query.h"

namespace rightsize {

// `batch` per GPU, on so many machines of the offer that work together. Expects a whole number of
// GPUs.
[[nodiscard]] AcceleratorQuery accelerator_query(
    const Query& query, const Offer& offer, const GpuRates& rates, int batch, int nodes);

}  // namespace rightsize
