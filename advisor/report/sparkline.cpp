#include "advisor/report/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

namespace rightsize::report {
namespace {

constexpr std::array<std::string_view, 8> bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

}  // namespace

std::string sparkline(std::span<const double> values, std::size_t width) {
  const auto columns = std::min(width, values.size());
  std::vector<double> means;
  for (std::size_t column = 0; column < columns; ++column) {
    const auto share =
        values.subspan(column * values.size() / columns,
                       (column + 1) * values.size() / columns - column * values.size() / columns);
    means.push_back(std::accumulate(share.begin(), share.end(), 0.0) /
                    static_cast<double>(share.size()));
  }
  const double highest = means.empty() ? 0 : *std::max_element(means.begin(), means.end());
  std::string line;
  for (const double mean : means) {
    const double level = highest > 0 ? std::max(0.0, mean) / highest : 0;
    line += bars[static_cast<std::size_t>(std::lround(level * (bars.size() - 1)))];
  }
  return line;
}

}  // namespace rightsize::report
