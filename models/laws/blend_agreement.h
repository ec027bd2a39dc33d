// What figures agree in, with each other and with a point that is asked for: of all that are near
// it at once, for a blend asks this of thousands of pairs.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "models/laws/rate_blend.h"

namespace rightsize {

// What two points agree in, as bits.
enum Respect : unsigned {
  same_die = 1,
  same_arch = 2,
  same_chip = 4,
  same_network = 8,
  same_network_family = 16,
  same_precision = 32,
  same_direction = 64,  // forward and inference; or with a backward pass
  same_stack = 128,
  same_framework = 256,
  same_framework_family = 512,
};
inline constexpr std::size_t respect_count = 10;
inline constexpr unsigned agreements = 1U << respect_count;

[[nodiscard]] inline unsigned agreement_of_work(const BlendPoint& a, const BlendPoint& b) {
  return (a.die == b.die ? same_die : 0U) | (a.arch == b.arch ? same_arch : 0U) |
         (a.chip == b.chip ? same_chip : 0U) | (a.network == b.network ? same_network : 0U) |
         (a.network_family == b.network_family ? same_network_family : 0U) |
         (a.precision == b.precision ? same_precision : 0U) |
         (has_backward(a.phase) == has_backward(b.phase) ? same_direction : 0U) |
         (a.stack == b.stack ? same_stack : 0U);
}

[[nodiscard]] inline unsigned agreement_of_software(const BlendPoint& a, const BlendPoint& b) {
  return (a.framework == b.framework && a.framework >= 0 ? same_framework : 0U) |
         (a.framework_family == b.framework_family && a.framework_family >= 0
              ? same_framework_family
              : 0U);
}

// How much their batches agree, 0 to 1.
[[nodiscard]] inline double nearness(const BlendPoint& a, const BlendPoint& b) {
  constexpr double batch_reach = 1.0;  // in ln(batch)
  const double distance = (a.log_batch - b.log_batch) / batch_reach;
  return std::exp(-0.5 * distance * distance);
}

// What some figures agree in with one point, respect by respect: a compiler compares several
// figures at once.
class Agreements {
 public:
  explicit Agreements(const std::vector<const BlendFigure*>& figures);

  // By figure, of those from `first` on; what stands before is of no use. Until it is asked again.
  const std::vector<unsigned>& those_of(const BlendPoint& point, std::size_t first);

 private:
  std::array<std::vector<int>, respect_count> numbers_;
  std::vector<unsigned> agreements_;
};

// How much the batches of some figures agree: they have a few sizes, so each pair of those is
// worked out once.
class BatchesOf {
 public:
  explicit BatchesOf(const std::vector<const BlendFigure*>& figures);

  [[nodiscard]] double near(std::size_t i, std::size_t j) const {
    return near_[size_[i] * sizes_ + size_[j]];
  }

 private:
  std::vector<std::size_t> size_;  // by figure
  std::size_t sizes_ = 0;
  std::vector<double> near_;  // sizes_ x sizes_
};

}  // namespace rightsize
