#include "advisor/batch_time.h"

#include <algorithm>
#include <cmath>
#include <vector>

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
  std::vector<MinibatchTime::Point> points;
  for (const int size : MinibatchTime::sizes(max_batch)) {
    asked.batch = size;
    const auto given = size == max_batch ? answer : estimator.estimate(asked);
    const bool fits = given.verdict == Verdict::ok;
    const int taken = fits ? size : max_batch;  // where the last one does not
    points.push_back({taken, taken / (fits ? given : answer).throughput.value});
  }
  return BatchTime{MinibatchTime(points),
                   std::log(answer.throughput.high / answer.throughput.value) / normal_90,
                   answer.throughput.source};
}

}  // namespace rightsize
