#include "advisor/explain/flip.h"

#include <cmath>

namespace rightsize {
std::vector<Flip> find_flips(double low,
                             double high,
                             int steps,
                             const std::function<std::string(double)>& outcome,
                             double precision) {
  std::vector<Flip> flips;
  double left = std::log(low);
  const double step = (std::log(high) - left) / steps;
  std::string at_left = outcome(low);
  for (int i = 1; i <= steps; ++i) {
    const double end = std::log(low) + i * step;
    const std::string at_end = outcome(std::exp(end));
    // Leave one outcome after the other until the step's last is reached.
    while (at_left != at_end) {
      double right = end;
      std::string above = at_end;
      while (right - left > precision) {
        const double middle = (left + right) / 2;
        auto found = outcome(std::exp(middle));
        if (found == at_left) {
          left = middle;
        } else {
          right = middle;
          above = std::move(found);
        }
      }
      flips.push_back({std::exp(right), at_left, above});
      left = right;
      at_left = std::move(above);
    }
    left = end;
  }
  return flips;
}

}  // namespace rightsize
