#include "advisor/batch_time.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rightsize {
namespace {

struct Point {
  double batch = 0;
  double seconds = 0;
};

// Least squares of the relative error; both parts positive, as a step costs something and so does
// an item.
StepTimeLaw line_through(const std::vector<Point>& points) {
  double aa = 0, ab = 0, bb = 0, a = 0, b = 0;
  for (const auto& point : points) {
    const double fixed = 1 / point.seconds;
    const double slope = point.batch / point.seconds;
    aa += fixed * fixed;
    ab += fixed * slope;
    bb += slope * slope;
    a += fixed;
    b += slope;
  }
  const double determinant = aa * bb - ab * ab;
  if (points.size() < 2 || determinant <= 1e-12 * aa * bb) {
    return {0, points.back().seconds / points.back().batch};
  }
  const double fixed = std::max(0.0, (a * bb - b * ab) / determinant);
  const double slope = fixed > 0 ? (b * aa - a * ab) / determinant : b / bb;
  return slope > 0 ? StepTimeLaw{fixed, slope} : StepTimeLaw{a / aa, 1e-6 * a / aa};
}

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
  result.law = line_through(points);
  for (const auto& point : points) {
    const double error = std::abs(step_seconds(result.law, point.batch) / point.seconds - 1);
    result.worst_error = std::max(result.worst_error, error);
  }
  return result;
}

}  // namespace rightsize
