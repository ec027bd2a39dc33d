// Robust statistics of few, noisy samples: no normal distribution is assumed anywhere.
#pragma once

#include <span>

#include "profiler/quantile.h"
#include "profiler/record.h"

namespace rightsize {

// Median absolute deviation x 1.4826, which estimates the standard deviation of a normal sample:
// Rousseeuw and Croux (1993), "Alternatives to the Median Absolute Deviation", eq. (1.1).
[[nodiscard]] double median_absolute_deviation(std::span<const double> samples);

struct Interval {
  double low = 0;
  double high = 0;
};

// Distribution-free interval of the median from order statistics: the number of samples below the
// true median is binomial(n, 1/2). Le Boudec, "Performance Evaluation of Computer and
// Communication Systems" (2010), Theorem 2.1. Below six samples no such interval reaches 95 %:
// then it is the whole range, of confidence 1 - 2^(1-n).
[[nodiscard]] Interval median_interval(std::span<const double> samples, double confidence = 0.95);

// All of it in one value.
[[nodiscard]] Measured summarize(std::span<const double> samples);

}  // namespace rightsize
