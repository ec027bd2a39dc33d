// Composition: the data path as a bounded-buffer pipeline whose stages work at the same time. Each
// resource bounds the throughput; near a tie jitter makes both stall, which a p-norm of the times
// expresses: X = (sum_i bound_i^-p)^(-1/p). p -> infinity is the plain minimum. CPUs and the
// threads that load on them are one resource: the lower of their two bounds counts. p is fitted,
// and the simulator (simulate/) plays the same pipeline item by item; the two must agree.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace rightsize {

// The resources that can limit a job, in the order data meets them.
enum class Bound { disk, cpu, loader, copy, accelerator };
constexpr std::size_t bound_count = 5;

// "disk", "cpu", ...; the words of reports.
[[nodiscard]] std::string_view to_string(Bound bound);

// Upper bounds on items per second; infinity where a resource is not used.
struct Bounds {
  std::array<double, bound_count> items_per_s{};

  [[nodiscard]] double& operator[](Bound bound) {
    return items_per_s[static_cast<std::size_t>(bound)];
  }
  [[nodiscard]] double operator[](Bound bound) const {
    return items_per_s[static_cast<std::size_t>(bound)];
  }
};

[[nodiscard]] Bounds unlimited();

// What works at the same time: the disk, the CPUs or the threads that load on them, whose lower
// bound holds, the copy, the accelerator.
constexpr std::size_t resource_count = bound_count - 1;
using ResourceBounds = std::array<double, resource_count>;
[[nodiscard]] ResourceBounds resources_of(const Bounds& bounds);

// Throughput of the composed pipeline; `sharpness` is p >= 1.
[[nodiscard]] double composed_items_per_s(const Bounds& bounds, double sharpness);

// By how much of a change of each bound the throughput `items_per_s` changes, both as logarithms:
// d ln X / d ln bound_i = (X / bound_i)^p, which add up to 1. Of CPUs and loader the lower has
// both's, and where a bound is not above 0 it is all.
[[nodiscard]] std::array<double, bound_count> bound_shares(const Bounds& bounds,
                                                           double items_per_s,
                                                           double sharpness);

// The resource with the lowest bound.
[[nodiscard]] Bound bottleneck(const Bounds& bounds);

// Share of time each resource is busy at throughput `items_per_s`: X / bound.
[[nodiscard]] std::array<double, bound_count> utilisation(const Bounds& bounds, double items_per_s);

// What each resource contributes to the time of an item, adding up to 1: the elasticity of the time
// to the resource's own, d ln(1/X) / d ln(1/bound_i) = busy_i^p. Of a p-norm these add up to 1
// (Euler's theorem on homogeneous functions), so that p need not be known: it is the exponent at
// which they do. Of CPUs and loader, the busier has both's. All 0 where nothing is busy.
[[nodiscard]] std::array<double, bound_count> time_shares(std::array<double, bound_count> busy);

}  // namespace rightsize
