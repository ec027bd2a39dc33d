#include "advisor/flip.h"

#include <cmath>

namespace rightsize {
namespace {

constexpr double close_enough = 1e-4;  // of ln(x)

}  // namespace

std::vector<Flip> find_flips(double low,
                             double high,
                             int steps,
                             const std::function<std::string(double)>& outcome) {
  std::vector<Flip> flips;
  double left = std::log(low);
  const double step = (std::log(high) - left) / steps;
  std::string at_left = outcome(low);
  for (int i = 1; i <= steps; ++i) {
    double right = std::log(low) + i * step;
    const std::string at_right = outcome(std::exp(right));
    const double next = right;
    if (at_left != at_right) {
      std::string above = at_right;
      while (right - left > close_enough) {
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
    }
    left = next;
    at_left = at_right;
  }
  return flips;
}

}  // namespace rightsize
