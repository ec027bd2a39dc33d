#include "profiler/measure/synthetic_batch.h"

#include <random>

namespace rightsize {
namespace {

void fill_ids(std::vector<std::int32_t>& ids,
              std::int64_t count,
              std::int64_t below,
              std::mt19937_64& random) {
  ids.resize(static_cast<std::size_t>(count));
  for (auto& id : ids) {
    id = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(below));
  }
}

}  // namespace

SyntheticBatch::SyntheticBatch(const Network& network,
                               const Workload& workload,
                               std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::int64_t items = workload.items_per_step();
  if (network.reads_tokens()) {
    const bool one_each = workload.phase == Phase::decode;
    const auto length = one_each ? 1 : network.input.positions();
    fill_ids(tokens_, items * length, network.vocabulary, random);
  } else {
    std::normal_distribution<float> pixel(0.0F, 1.0F);
    images_.resize(static_cast<std::size_t>(items * network.input.elements()));
    for (auto& value : images_) {
      value = pixel(random);
    }
  }
  if (workload.phase != Phase::decode) {
    fill_ids(labels_, items * network.labels_per_item(), network.classes, random);
  }
}

}  // namespace rightsize
