#include "advisor/candidate/update_share.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "advisor/query/tuning_words.h"

namespace rightsize {
namespace {

constexpr double tolerance = 0.1;  // of what is said

bool says_update(const NetworkStep& step) {
  return step.global_batch > 0 && has_backward(step.phase);
}

// That take items of their own.
int copies_among(const NetworkStep& step, int gpus) {
  return std::max(1, gpus / std::max(1, step.gpus_per_copy()));
}

int gpus_of(const AcceleratorQuery& query) {
  return std::max(1, query.gpus_per_node * query.nodes);
}

bool is_near(double items, int global_batch) {
  return std::abs(items - global_batch) <= tolerance * global_batch;
}

}  // namespace

int nearest_share(int global_batch, int parts) {
  return std::max(1, static_cast<int>(std::lround(1.0 * global_batch / std::max(1, parts))));
}

NetworkStep with_update_shared(NetworkStep step, int gpus, int batch) {
  if (!says_update(step)) {
    return step;
  }
  if (step.gpus_per_copy() > 1) {
    step.copy_batch = nearest_share(step.global_batch, copies_among(step, gpus));
  } else {
    const auto at_once = std::int64_t{gpus} * std::max(1, batch);
    step.accumulate = at_once > step.global_batch
                          ? 1
                          : nearest_share(step.global_batch, static_cast<int>(at_once));
  }
  return step;
}

UpdateBatch divided_update(const NetworkStep& step, int gpus, int batch, int micro_batch) {
  const int sharing = step.gpus_per_copy();
  const auto shared = with_update_shared(step, gpus, batch);
  if (sharing == 1) {
    return {gpus, batch, shared.accumulate};
  }
  const int copy_items = shared.copy_batch > 0 ? shared.copy_batch : batch * sharing;
  const int together = std::max(1, micro_batch);
  return {copies_among(step, gpus), together, copy_items / together};
}

void share_update(AcceleratorQuery& query) {
  static_cast<NetworkStep&>(query) = with_update_shared(query, gpus_of(query), query.batch);
  if (says_update(query) && query.gpus_per_copy() > 1) {
    query.batch = std::max(1, query.copy_batch / query.gpus_per_copy());
  }
}

std::string why_no_update(const AcceleratorQuery& query) {
  if (!says_update(query)) {
    return "";
  }
  const int global = query.global_batch;
  const int copies = copies_among(query, gpus_of(query));
  const char* what = query.gpus_per_copy() > 1 ? "copies" : "GPUs";
  if (copies > global) {
    return fmt::format(
        "global_batch = {}: fewer items than {}, which take one each at the least", global, what);
  }
  const auto nearest = divided_update(query, gpus_of(query), query.batch).global();
  if (!is_near(static_cast<double>(nearest), global)) {
    return fmt::format("global_batch = {}: {} {} that take as many each come to {} at the nearest",
                       global,
                       copies,
                       what,
                       nearest);
  }
  return query.accumulate > most_accumulated
             ? fmt::format("global_batch = {}: {} minibatches an update, of at most {}",
                           global,
                           query.accumulate,
                           most_accumulated)
             : "";
}

std::vector<int> batches_of_update(const AcceleratorQuery& query, int most) {
  const int copies = copies_among(query, gpus_of(query));
  const int share = nearest_share(query.global_batch, copies);
  if (query.gpus_per_copy() > 1) {
    return {std::max(1, share / query.gpus_per_copy())};
  }
  std::vector<int> batches;
  for (int batch = std::min(share, most); batch >= 1; --batch) {
    if (share % batch == 0) {
      batches.push_back(batch);
    }
  }
  return batches;
}

}  // namespace rightsize
