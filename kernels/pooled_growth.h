// How far max pooling raises the mean square of a signal, so that the weights behind it start
// smaller: He et al. (ICCV 2015) derive a variance of 2 / fan-in from a signal that keeps its mean
// square, which a maximum of several values does not. Without it the scores of a VGG, five pools
// deep, start forty times too large, and its loss with them.
#pragma once

#include <cstdint>

#include "kernels/network.h"

namespace rightsize {

// E[max(0, x1 .. xn)^2] / E[max(0, x1)^2] of n normal values of which each two have this
// correlation; 1 for n = 1. By quadrature, to 1e-3.
[[nodiscard]] double pooled_growth(std::int64_t n, double correlation);

// The product over the max pools between a layer and what last had weights or normalised, with the
// correlation of neighbours that share two thirds of a 3 x 3 window; 1 without pools.
[[nodiscard]] double pooled_growth(const Network& network, const Layer& layer);

}  // namespace rightsize
