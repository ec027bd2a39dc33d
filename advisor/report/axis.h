// Where a value lies on paper: scales and their ticks, without any drawing.
#pragma once

#include <span>
#include <vector>

namespace rightsize::report {

enum class Scale { linear, logarithmic };

struct Range {
  double low = 0;
  double high = 1;
};

// Maps `data` to `paper`, strictly monotone. On a logarithmic axis data.low must be positive.
struct Axis {
  Scale scale = Scale::linear;
  Range data;
  Range paper;  // low may be above high: paper's y grows downwards

  [[nodiscard]] double position(double value) const;
};

// Multiples of 1, 2 or 5 times a power of ten inside the range, about `wanted` of them.
[[nodiscard]] std::vector<double> nice_ticks(Range range, int wanted);

// 1, 2, 5 of every decade inside the range, or the decades alone when those are many; falls back to
// nice_ticks where the range holds fewer than two.
[[nodiscard]] std::vector<double> log_ticks(Range range);

// A range that holds all finite values (positive ones on a logarithmic scale) with a little air.
// Never empty: one value, or none, get a range around it.
[[nodiscard]] Range range_of(std::span<const double> values, Scale scale, bool from_zero = false);

}  // namespace rightsize::report
