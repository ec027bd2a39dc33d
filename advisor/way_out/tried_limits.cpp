#include "advisor/way_out/tried_limits.h"

#include <cmath>

#include <fmt/format.h>

namespace rightsize {

int first_sensible(const std::vector<int>& machines) {
  constexpr int most_of_widest = 2;
  const int widest = machines.empty() ? 0 : machines.back();
  for (std::size_t i = 0; i < machines.size(); ++i) {
    if (machines[i] > 0 && (widest == 0 || machines[i] <= most_of_widest * widest)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::string of_them(int machines) {
  return machines == 1 ? "by one of it" : fmt::format("by {} of it", machines);
}

double rounded_up(double seconds) {
  const double unit = std::pow(10, std::floor(std::log10(seconds)) - 1);
  return std::ceil(seconds / unit) * unit;
}

}  // namespace rightsize
