// Where a rising function passes zero, in as few looks as can be: of smooth ones about eight to a
// hundred-thousandth, where halving takes seventeen; of steps no more than thrice as many as
// halving. Alefeld, Potra & Shi, "Algorithm 748: enclosing zeros of continuous functions", ACM
// Transactions on Mathematical Software 21 (1995), as in Boost.
#pragma once

#include <cmath>
#include <cstdint>

#include <boost/math/tools/toms748_solve.hpp>

namespace rightsize {

// Where `f` was asked already.
struct Bracket {
  double low;
  double high;
  double at_low;   // f(low)
  double at_high;  // f(high)
};

// x in [low, high], at most `precision` below the crossing, f(x) <= 0; `high` where f is not above
// 0 there, `low` where it is nowhere below. No infinities are expected.
template <typename F>
[[nodiscard]] double last_not_above(const F& f, const Bracket& bracket, double precision) {
  const auto& [low, high, at_low, at_high] = bracket;
  if (at_high <= 0) {
    return high;
  }
  if (at_low >= 0) {
    return low;
  }
  const auto near_enough = [&](double a, double b) { return std::abs(b - a) <= precision; };
  std::uintmax_t looks = 100;
  return boost::math::tools::toms748_solve(f, low, high, at_low, at_high, near_enough, looks).first;
}

template <typename F>
[[nodiscard]] double last_not_above(const F& f, double low, double high, double precision) {
  const double at_high = f(high);
  return at_high <= 0 ? high : last_not_above(f, {low, high, f(low), at_high}, precision);
}

}  // namespace rightsize
