// A number that another shall equal but for a share of itself.
#pragma once

#include <doctest/doctest.h>

namespace rightsize::test {

/// Equals what differs from `value` by less than epsilon (1.2e-5 unless set) of the larger of both.
/// doctest's own also allows epsilon x 1, at 5 % 50 ms of milliseconds: with it nothing could fail.
/// Near 0 a bound of its own is needed: CHECK(std::abs(x) < 1e-9).
inline doctest::Approx approx(double value) {
  constexpr double next_to_nothing = 1e-200;  // with 0 two zeros would differ: it compares by <
  return doctest::Approx(value).scale(next_to_nothing);
}

}  // namespace rightsize::test
