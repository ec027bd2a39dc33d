#include "advisor/candidate/batch_choice.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "advisor/candidate/text_rate.h"
#include "advisor/candidate/training_way.h"
#include "advisor/candidate/update_share.h"

namespace rightsize {
namespace {

// Of copies that divide experts alone the fastest way may run blocks again though another has room
// without: a batch so small that it does spares nothing.
bool may_run_blocks_again(const AcceleratorQuery& query) {
  return is_split_as_asked(query) && query.gpus_per_copy() == 1 && !query.recompute;
}

}  // namespace

int usual_batch(const NetworkFacts& facts, Phase phase) {
  constexpr int of_samples = 65'536;
  // Larger ones are hardly faster, and of many GPUs an update would be of more tokens than anybody
  // trains with.
  constexpr std::int64_t of_tokens = 65'536;
  if (facts.transformer && facts.network.reads_tokens() && has_backward(phase)) {
    const auto sequences = of_tokens / std::max<std::int64_t>(1, facts.network.input.positions());
    return static_cast<int>(std::bit_floor(
        static_cast<std::uint64_t>(std::clamp<std::int64_t>(sequences, 1, usual_batch_of_gpu))));
  }
  return facts.looks_up ? of_samples : usual_batch_of_gpu;
}

namespace {

// The largest power of two up to the usual, or of an update that is said of what divides it, of
// which `fits` is true; 0 where none is.
int largest_of_which(const NetworkFacts& facts,
                     const AcceleratorQuery& query,
                     const std::function<bool(int batch)>& fits) {
  const int usual = usual_batch(facts, query.phase);
  if (query.global_batch > 0 && has_backward(query.phase)) {
    const auto batches = batches_of_update(query, usual);
    const auto found = std::find_if(batches.begin(), batches.end(), fits);
    return found != batches.end() ? *found : 0;
  }
  int batch = usual;
  while (batch >= 1 && !fits(batch)) {
    batch /= 2;
  }
  return batch;
}

int largest_that_fits(const GpuSpec& gpu,
                      const NetworkFacts& facts,
                      const GpuMemoryLaw& law,
                      AcceleratorQuery query,
                      MemorySpared spared) {
  return largest_of_which(facts, query, [&](int batch) {
    query.batch = batch;
    return fits_gpu(law, facts, query, gpu, spared);
  });
}

// Of GPUs that share a copy or its experts as asked, whose ways depend on the batch.
std::vector<int> batches_of_split(const GpuSpec& gpu,
                                  const NetworkFacts& facts,
                                  const AcceleratorQuery& query,
                                  const GpuMemoryLaw& law,
                                  const RateOfBatch& rate_of) {
  int plain = largest_that_fits(gpu, facts, law, query, MemorySpared::as_asked);
  if (plain > 0 && may_run_blocks_again(query) && rate_of(plain).way.recompute) {
    plain = 0;
  }
  return {plain, largest_that_fits(gpu, facts, law, query, MemorySpared::as_needed)};
}

// The largest batch of each way to spare memory, and of none: of smaller ones each is worked
// through in the same way as one of these, and no faster.
std::vector<int> batches_of_ways(const GpuSpec& gpu,
                                 const NetworkFacts& facts,
                                 const GpuMemoryLaw& law,
                                 AcceleratorQuery query) {
  const auto sold = gpu_as_sold(gpu, query.gpu_memory_bytes);
  std::vector<int> batches;
  for (const auto& way : training_ways(facts, query)) {
    batches.push_back(largest_of_which(facts, query, [&](int batch) {
      query.batch = batch;
      return way_fits_gpu(law, query, sold, way);
    }));
  }
  return batches;
}

double items_per_s(const AcceleratorRate& rate) {
  return rate.verdict == Verdict::ok ? rate.items_per_s : 0;
}

}  // namespace

std::optional<int> batch_that_fits(const GpuSpec& gpu,
                                   const NetworkFacts& facts,
                                   const AcceleratorQuery& query,
                                   const GpuMemoryLaw& law,
                                   const RateOfBatch& rate_of) {
  if (query.writing.of_texts()) {
    // Where not one can be, the rate of one says why.
    return texts_in_flight(gpu_as_sold(gpu, query.gpu_memory_bytes), facts, query).value_or(1);
  }
  const auto tried =
      query.phase == Phase::decode
          ? std::vector{largest_that_fits(gpu, facts, law, query, MemorySpared::as_needed)}
      : is_split_as_asked(query) ? batches_of_split(gpu, facts, query, law, rate_of)
                                 : batches_of_ways(gpu, facts, law, query);
  if (tried.front() == usual_batch(facts, query.phase)) {
    return tried.front();  // with nothing spared
  }
  std::vector<int> batches;
  for (const int batch : tried) {
    if (batch > 0 && std::find(batches.begin(), batches.end(), batch) == batches.end()) {
      batches.push_back(batch);
    }
  }
  if (batches.size() < 2) {
    return batches.empty() ? std::nullopt : std::optional(batches.front());
  }
  std::vector<double> rates;
  for (const int batch : batches) {
    rates.push_back(items_per_s(rate_of(batch)));
  }
  const auto fastest = std::max_element(rates.begin(), rates.end()) - rates.begin();
  return batches[static_cast<std::size_t>(fastest)];
}

}  // namespace rightsize
