#include "advisor/batch_time.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "advisor/service.h"

namespace rightsize {
namespace {

struct Point {
  double batch = 0;
  double seconds = 0;
};

}  // namespace

std::optional<BatchTime> batch_time(Estimator& estimator,
                                    Configuration asked,
                                    int max_batch,
                                    Answer& answer) {
  asked.phase = Phase::infer;
  asked.data = DataFormat::synthetic;
  asked.machine.nodes = 1;
  asked.machine.gpus_per_node = std::min(1, asked.machine.gpus_per_node);
  BatchTime result;
  std::vector<Point> points;
  for (int batch = 1;; batch = std::min(2 * batch, max_batch)) {
    asked.batch = batch;
    answer = estimator.estimate(asked);
    if (answer.verdict != Verdict::ok) {
      return std::nullopt;
    }
    points.push_back({static_cast<double>(batch), batch / answer.throughput.value});
    if (batch >= max_batch) {
      break;
    }
  }
  result.source = answer.throughput.source;
  result.log_sd = std::log(answer.throughput.high / answer.throughput.value) / normal_90;
  const auto& last = points.back();
  result.law = line_through(points.front().seconds, max_batch, last.seconds);
  for (const auto& point : points) {
    const double error = std::abs(step_seconds(result.law, point.batch) / point.seconds - 1);
    result.worst_error = std::max(result.worst_error, error);
  }
  return result;
}

}  // namespace rightsize
