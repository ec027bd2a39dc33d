#include "decode_fit.h"

#include <array>
#include <map>
#include <utility>

namespace rightsize::bench {
namespace {

// As they were before any of these figures: where a fit starts, and stays where nothing tells
// otherwise.
constexpr DecodeLaw prior{.bandwidth_share = 0.80,
                          .gddr_bandwidth_share = 0.80,
                          .widened_bytes_per_flop = 0.06,
                          .fp8_matrix_share = 0.65,
                          .overhead_s = 2e-3,
                          .nvlink_latency_s = 6e-6,
                          .pcie_latency_s = 15e-6};

constexpr std::array fitted{&DecodeLaw::bandwidth_share,
                            &DecodeLaw::gddr_bandwidth_share,
                            &DecodeLaw::widened_bytes_per_flop,
                            &DecodeLaw::fp8_matrix_share,
                            &DecodeLaw::overhead_s,
                            &DecodeLaw::nvlink_latency_s,
                            &DecodeLaw::pcie_latency_s};

// Huber's loss, every source counting the same.
double loss(const std::vector<Asked>& all, const std::string& left_out, const DecodeLaw& law) {
  constexpr double knee = 0.15;
  std::map<std::string, std::pair<double, int>> sums;
  for (const auto& asked : all) {
    const auto error =
        asked.of_fit() && asked.source() != left_out ? asked.error(law) : std::nullopt;
    if (error) {
      const double size = std::abs(*error);
      auto& [sum, count] = sums[asked.source()];
      sum += size < knee ? size * size : knee * (2 * size - knee);
      ++count;
    }
  }
  double total = 0;
  for (const auto& [source, sum] : sums) {
    total += sum.first / sum.second;
  }
  return total;
}

}  // namespace

// One constant after the other, by smaller and smaller factors.
DecodeLaw fitted_law(const std::vector<Asked>& all, const std::string& left_out) {
  DecodeLaw law = prior;
  double least = loss(all, left_out, law);
  for (double step = 0.2; step > 4e-3;) {
    const double before = least;
    for (const auto constant : fitted) {
      for (const double factor : {1 + step, 1 / (1 + step)}) {
        DecodeLaw moved = law;
        moved.*constant *= factor;
        const double found = loss(all, left_out, moved);
        if (found < least && moved.bandwidth_share < 1 && moved.gddr_bandwidth_share < 1) {
          least = found;
          law = moved;
        }
      }
    }
    step = least < before ? step : step / 2;
  }
  return law;
}

}  // namespace rightsize::bench
