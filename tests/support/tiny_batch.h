// Small batches with known content for tests of engines.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "kernels/engine.h"

namespace rightsize::test {

struct TinyBatch {
  std::vector<float> images;
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> tokens{};

  [[nodiscard]] Batch view() const { return {images, labels, tokens}; }
};

inline std::vector<float> noise(std::size_t count, std::uint32_t seed, float scale = 1.0F) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0.0F, scale);
  std::vector<float> values(count);
  for (auto& value : values) {
    value = normal(generator);
  }
  return values;
}

// Token ids and labels drawn evenly; a language model's labels are as random as its tokens.
inline TinyBatch token_batch(const Network& network, int items, std::uint32_t seed = 7) {
  std::mt19937 generator(seed);
  const auto draw = [&](std::int64_t count, std::int64_t below) {
    std::uniform_int_distribution<std::int32_t> ids(0, static_cast<std::int32_t>(below) - 1);
    std::vector<std::int32_t> values(static_cast<std::size_t>(count));
    for (auto& value : values) {
      value = ids(generator);
    }
    return values;
  };
  TinyBatch batch;
  batch.tokens = draw(items * network.input.elements(), network.vocabulary);
  batch.labels = draw(items * network.labels_per_item(), network.classes);
  return batch;
}

// Noise with the labels 0, 1, 2, … in turn, for each position that has one; random tokens where the
// network reads them.
inline TinyBatch noise_batch(const Network& network, int items, std::uint32_t seed = 7) {
  if (network.reads_tokens()) {
    return token_batch(network, items, seed);
  }
  TinyBatch batch{noise(static_cast<std::size_t>(items * network.input.elements()), seed), {}};
  for (std::int64_t i = 0; i < items * network.labels_per_item(); ++i) {
    batch.labels.push_back(static_cast<std::int32_t>(i % network.classes));
  }
  return batch;
}

// Learnable: each class has its own pattern, each item its own noise on top.
inline TinyBatch learnable_batch(const Network& network, int items, std::uint32_t seed = 7) {
  const auto size = static_cast<std::size_t>(network.input.elements());
  auto batch = noise_batch(network, items, seed);
  for (int i = 0; i < items; ++i) {
    const auto pattern = noise(size, 1000 + static_cast<std::uint32_t>(batch.labels[i]));
    for (std::size_t k = 0; k < size; ++k) {
      auto& value = batch.images[static_cast<std::size_t>(i) * size + k];
      value = pattern[k] + 0.3F * value;
    }
  }
  return batch;
}

}  // namespace rightsize::test
