// One batch of noise that fits a network, used again and again: the engine alone.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/engine.h"
#include "kernels/workload.h"

namespace rightsize {

class SyntheticBatch {
 public:
  // Pixels are normal, tokens and labels even over the vocabulary and the classes.
  SyntheticBatch(const Network& network, const Workload& workload, std::uint64_t seed);

  [[nodiscard]] Batch view() const { return {images_, labels_, tokens_}; }

 private:
  std::vector<float> images_;
  std::vector<std::int32_t> labels_;
  std::vector<std::int32_t> tokens_;
};

}  // namespace rightsize
