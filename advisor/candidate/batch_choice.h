// The batch of a step of which nobody says one. One rule for every command, with a job file or
// without.
#pragma once

#include <functional>
#include <optional>

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// Items a GPU, and those that CPUs take together.
inline constexpr int usual_batch_of_gpu = 128;
inline constexpr int usual_batch_of_cpus = 32;
// Requests in a minibatch of a service on CPUs, at most.
inline constexpr int usual_limit_of_cpus = 128;

// Of a GPU; of a recommender, whose samples are next to nothing each, tens of thousands; of a
// language model that trains, whose updates are counted in tokens, no more than make 65,536 of
// them.
[[nodiscard]] int usual_batch(const NetworkFacts& facts, Phase phase);

// Of the query with that batch: from who remembers what takes long.
using RateOfBatch = std::function<AcceleratorRate(int batch)>;

// A power of two up to the usual, or what divides a GPU's share of an update that is said
// (update_share.h): the largest that fits the GPU's memory with nothing spared, or in
// one of the ways to spare memory, whichever makes the step the fastest; nullopt where no item
// fits. `query.batch` is not looked at; `law` is that of the query's network.
[[nodiscard]] std::optional<int> batch_that_fits(const GpuSpec& gpu,
                                                 const NetworkFacts& facts,
                                                 const AcceleratorQuery& query,
                                                 const GpuMemoryLaw& law,
                                                 const RateOfBatch& rate_of);

}  // namespace rightsize
