#include "advisor/candidate/batch_choice.h"

#include "advisor/candidate/training_way.h"

namespace rightsize {
namespace {

// Of copies that divide experts alone the fastest way may run blocks again though another has room
// without: a batch so small that it does spares nothing.
bool may_run_blocks_again(const AcceleratorQuery& query) {
  return is_split_as_asked(query) && query.gpus_per_copy() == 1 && !query.recompute;
}

}  // namespace

int usual_batch(const NetworkFacts& facts) {
  constexpr int of_samples = 65'536;
  return facts.looks_up ? of_samples : usual_batch_of_gpu;
}

namespace {

// 0 where none fits.
int largest_that_fits(const GpuSpec& gpu,
                      const NetworkFacts& facts,
                      AcceleratorQuery& query,
                      bool spared) {
  for (query.batch = usual_batch(facts); query.batch >= 1; query.batch /= 2) {
    if (fits_gpu(facts, query, gpu, spared)) {
      return query.batch;
    }
  }
  return 0;
}

double items_per_s(const AcceleratorRate& rate) {
  return rate.verdict == Verdict::ok ? rate.items_per_s : 0;
}

}  // namespace

std::optional<int> batch_that_fits(const GpuSpec& gpu,
                                   const NetworkFacts& facts,
                                   AcceleratorQuery query,
                                   const RateOfBatch& rate_of) {
  int plain = largest_that_fits(gpu, facts, query, false);
  if (plain > 0 && may_run_blocks_again(query) && rate_of(plain).way.recompute) {
    plain = 0;
  }
  if (plain == usual_batch(facts)) {
    return plain;
  }
  const int spared = largest_that_fits(gpu, facts, query, true);
  if (spared == 0) {
    return std::nullopt;
  }
  const bool compared = plain > 0 && plain != spared;
  return compared && items_per_s(rate_of(plain)) >= items_per_s(rate_of(spared)) ? plain : spared;
}

}  // namespace rightsize
