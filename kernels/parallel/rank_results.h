// A batch shared out among data-parallel ranks, and their results as one: of CPU and GPU engines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/engine.h"

namespace rightsize {

// Rank `rank` of `ranks` equal parts; empty stays empty.
template <typename T>
[[nodiscard]] std::span<const T> part(std::span<const T> all, std::size_t rank, std::size_t ranks) {
  const auto each = all.size() / ranks;
  return all.subspan(rank * each, each);
}

[[nodiscard]] inline Batch part(const Batch& all, std::size_t rank, std::size_t ranks) {
  return {
      part(all.images, rank, ranks), part(all.labels, rank, ranks), part(all.tokens, rank, ranks)};
}

// The mean loss, all hits, and the slowest rank's times. Ranks count alike, as in PyTorch's
// DistributedDataParallel: where they have unequal numbers of labels, that is not the mean over all
// labels. `results`: one for each rank, at least one.
[[nodiscard]] inline StepResult together(const std::vector<StepResult>& results) {
  StepResult sum = results.at(0);
  for (std::size_t rank = 1; rank < results.size(); ++rank) {
    const auto& one = results[rank];
    if (sum.loss && one.loss) {
      *sum.loss += *one.loss;
    }
    if (sum.correct && one.correct) {  // a denoiser has a loss and no hits
      *sum.correct += *one.correct;
    }
    sum.copy_s = std::max(sum.copy_s, one.copy_s);
    sum.compute_s = std::max(sum.compute_s, one.compute_s);
    sum.exchange_s = std::max(sum.exchange_s, one.exchange_s);
  }
  if (sum.loss) {
    *sum.loss /= static_cast<double>(results.size());
  }
  return sum;
}

}  // namespace rightsize
