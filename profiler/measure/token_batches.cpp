#include "profiler/measure/token_batches.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/data/sampler.h"
#include "kernels/stopwatch.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

std::unique_ptr<TokenDataset> open_for(const Network& network, const Workload& workload) {
  if (!network.reads_tokens()) {
    throw DataError(
        fmt::format("{} holds tokens, and {} reads pictures; choose another network or "
                    "data set",
                    workload.data_path,
                    network.name));
  }
  if (const auto reason = why_not_read(network, workload.data); !reason.empty()) {
    throw DataError(reason);
  }
  const auto carries = std::any_of(
      network.layers.begin(), network.layers.end(), [](const auto& l) { return l.carries_state; });
  if (carries && workload.shuffle) {
    throw DataError(
        fmt::format("{} carries its state from step to step, so it reads a text in "
                    "order; add --shuffle false (shuffle = false in a campaign)",
                    network.name));
  }
  TokenOptions options;
  options.vocabulary = network.vocabulary;
  options.sequence = static_cast<int>(network.input.positions());
  options.labels_each = network.labels_per_item() > 1;
  auto dataset = open_tokens(workload.data_path, options);
  if (dataset->classes() > network.classes) {
    throw DataError(fmt::format("{} has {} classes, {} tells {} apart",
                                workload.data_path,
                                dataset->classes(),
                                network.name,
                                network.classes));
  }
  return dataset;
}

}  // namespace

std::string why_not_read(const Network& network, DataFormat data) {
  return looks_up_tables(network) && data != DataFormat::synthetic
             ? fmt::format(
                   "{}: samples of recommenders are read from no file here: leave the data "
                   "out, and it runs on synthetic batches",
                   network.name)
             : "";
}

TokenBatches::TokenBatches(const Network& network, const Workload& workload, std::uint64_t seed)
    : dataset_(open_for(network, workload)),
      batch_(static_cast<std::size_t>(workload.items_per_step())),
      steps_(dataset_->size() / batch_),
      shuffle_(workload.shuffle),
      seed_(seed),
      tokens_(batch_ * static_cast<std::size_t>(network.input.positions())),
      labels_(batch_ * static_cast<std::size_t>(network.labels_per_item())) {
  if (steps_ == 0) {
    throw DataError(
        fmt::format("{} holds {} items, a batch takes {}; take a smaller batch or a "
                    "longer file",
                    workload.data_path,
                    dataset_->size(),
                    batch_));
  }
}

std::size_t TokenBatches::item(std::size_t epoch, std::size_t step, std::size_t lane) const {
  if (!shuffle_) {
    return lane * steps_ + step;
  }
  const Sampler sampler(dataset_->size(), {}, true, seed_);
  return sampler.item(epoch, step * batch_ + lane);
}

Loader::Item TokenBatches::next() {
  const Stopwatch stopwatch;
  const auto epoch = done_ / steps_;
  const auto step = done_ % steps_;
  const auto tokens = tokens_.size() / batch_;
  const auto labels = labels_.size() / batch_;
  for (std::size_t lane = 0; lane < batch_; ++lane) {
    totals_.bytes_read += dataset_->read(item(epoch, step, lane),
                                         std::span(tokens_).subspan(lane * tokens, tokens),
                                         std::span(labels_).subspan(lane * labels, labels));
  }
  ++done_;
  totals_.items += batch_;
  totals_.read_s += stopwatch.seconds();
  return {{{}, labels_, tokens_}, epoch, step + 1 == steps_};
}

}  // namespace rightsize
