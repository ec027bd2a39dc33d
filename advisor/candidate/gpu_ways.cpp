#include "advisor/candidate/gpu_ways.h"

#include "advisor/candidate/gpu_preprocessing.h"

namespace rightsize {
namespace {

// 1, 2, 4 ... and the largest.
std::vector<int> node_counts(int most) {
  std::vector<int> counts;
  for (int nodes = 1; nodes < most; nodes *= 2) {
    counts.push_back(nodes);
  }
  counts.push_back(most);
  return counts;
}

}  // namespace

std::vector<Way> ways_on_gpus(const Query& query, int most) {
  const bool gpu_can = gpu_preprocesses(query.format);
  std::vector<Way> ways;
  for (const int batch : query.batches.empty() ? std::vector{chosen_anew} : query.batches) {
    for (const int nodes : query.service ? std::vector<int>{1} : node_counts(most)) {
      if (!gpu_can || query.preprocess_on != PreprocessChoice::gpu) {
        ways.push_back({batch, nodes, false});
      }
      if (gpu_can && query.preprocess_on != PreprocessChoice::cpu) {
        ways.push_back({batch, nodes, true});
      }
    }
  }
  return ways;
}

}  // namespace rightsize
