// What figures agree in, with each other and with a point that is asked for: of all that are near
// it at once, for a blend asks this of thousands of pairs.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
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

// What stands for each in a point; in bits' order.
struct Compared {
  Respect respect;
  int (*number)(const BlendPoint& point);

  // Software that is not known agrees with none.
  [[nodiscard]] constexpr bool is_unknown(int of_point) const {
    return respect >= same_framework && of_point < 0;
  }
};
inline constexpr std::array<Compared, respect_count> compared{
    {{same_die, [](const BlendPoint& p) { return p.die; }},
     {same_arch, [](const BlendPoint& p) { return p.arch; }},
     {same_chip, [](const BlendPoint& p) { return p.chip; }},
     {same_network, [](const BlendPoint& p) { return p.network; }},
     {same_network_family, [](const BlendPoint& p) { return p.network_family; }},
     {same_precision, [](const BlendPoint& p) { return static_cast<int>(p.precision); }},
     {same_direction, [](const BlendPoint& p) { return has_backward(p.phase) ? 1 : 0; }},
     {same_stack, [](const BlendPoint& p) { return static_cast<int>(p.stack); }},
     {same_framework, [](const BlendPoint& p) { return p.framework; }},
     {same_framework_family, [](const BlendPoint& p) { return p.framework_family; }}}};

// What two points agree in, of the respects up to `end`, which stand in the code one by one.
template <Respect end>
[[nodiscard]] inline unsigned agreement_below(const BlendPoint& a, const BlendPoint& b) {
  const auto in = [&]<std::size_t i>() {
    constexpr auto& each = compared[i];
    const int number = each.number(a);
    return each.respect < end && number == each.number(b) && !each.is_unknown(number) ? each.respect
                                                                                      : 0U;
  };
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return (in.template operator()<i>() | ...);
  }
  (std::make_index_sequence<respect_count>());
}

// But for the software, which many points that are asked for together differ in.
[[nodiscard]] inline unsigned agreement_of_work(const BlendPoint& a, const BlendPoint& b) {
  return agreement_below<same_framework>(a, b);
}

[[nodiscard]] inline unsigned agreement_of(const BlendPoint& a, const BlendPoint& b) {
  return agreement_below<Respect{agreements}>(a, b);
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
