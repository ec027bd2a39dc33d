// A gamma distribution by a few of its values, each the middle of a share of it, for sums over all
// of it that are taken thousands of times: shares are narrow about the 99th percentile, where
// limits are held. Quantiles are taken once for shapes from 0.001 to 40, a fifth apart, and between
// them by their logarithms; beyond by Wilson & Hilferty (length_spread.h).
#pragma once

#include <array>
#include <cstddef>

namespace rightsize {

inline constexpr std::size_t gamma_shares = 32;

struct GammaNode {
  double share = 0;  // of all
  double value = 0;
};
using GammaNodes = std::array<GammaNode, gamma_shares>;

// `mean`, `variance` > 0.
[[nodiscard]] GammaNodes gamma_nodes(double mean, double variance);

}  // namespace rightsize
