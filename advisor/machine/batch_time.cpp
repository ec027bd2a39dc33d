#include "advisor/machine/batch_time.h"

#include <algorithm>
#include <cmath>

#include "models/laws/minibatch_rates.h"

namespace rightsize {

std::optional<BatchTime> batch_time(Estimator& estimator,
                                    Configuration asked,
                                    int max_batch,
                                    Answer& answer) {
  asked.phase = Phase::infer;
  asked.data = DataFormat::synthetic;
  asked.machine.nodes = 1;
  asked.machine.gpus_per_node = std::min(1, asked.machine.gpus_per_node);
  asked.batch = max_batch;
  answer = estimator.estimate(asked);
  if (answer.verdict != Verdict::ok) {
    return std::nullopt;
  }
  Answer other;
  const auto law = minibatch_time_of(max_batch, [&](int size) -> std::optional<double> {
    asked.batch = size;
    other = size == max_batch ? answer : estimator.estimate(asked);
    return other.verdict == Verdict::ok ? std::optional(other.throughput.value) : std::nullopt;
  });
  if (!law) {
    answer = other;  // which says why
    return std::nullopt;
  }
  return BatchTime{*law,
                   answer.prediction.log_sd,
                   answer.throughput.source};
}

}  // namespace rightsize
