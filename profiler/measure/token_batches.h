// Minibatches of a token file. Gathering ids takes microseconds, so the step does it itself: there
// is nothing to prefetch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/data/loader.h"
#include "kernels/data/tokens.h"
#include "kernels/engine.h"
#include "kernels/workload.h"

namespace rightsize {

// Of recommenders, whose samples no reader here takes from a file; "": none of these.
[[nodiscard]] std::string why_not_read(const Network& network, DataFormat data);

class TokenBatches {
 public:
  // Throws DataError where file and network do not fit.
  TokenBatches(const Network& network, const Workload& workload, std::uint64_t seed);

  // The next minibatch, valid until the next call. Shuffled: a fresh permutation each epoch. In
  // order: lane b of the batch goes through its own stretch of the file, as the Penn Treebank's
  // language models are trained, so that an LSTM's state carries on.
  [[nodiscard]] Loader::Item next();

  [[nodiscard]] const TokenDataset& dataset() const { return *dataset_; }
  [[nodiscard]] const LoaderTotals& totals() const { return totals_; }

 private:
  [[nodiscard]] std::size_t item(std::size_t epoch, std::size_t step, std::size_t lane) const;

  std::unique_ptr<TokenDataset> dataset_;
  std::size_t batch_;
  std::size_t steps_;  // per epoch
  bool shuffle_;
  std::uint64_t seed_;
  std::size_t done_ = 0;
  LoaderTotals totals_;
  std::vector<std::int32_t> tokens_;
  std::vector<std::int32_t> labels_;
};

}  // namespace rightsize
