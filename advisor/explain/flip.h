// Where an outcome changes while one number moves and all else stays: found by asking for the
// outcome again and again, never from a formula, so that whatever decides it is in the answer.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace rightsize {

struct Flip {
  double at = 0;      // the smallest value found with the outcome `above`
  std::string below;  // the outcome under it
  std::string above;
};

using Outcome = std::function<std::string(double)>;

// Changes of outcome(x) for x from `low` to `high`, both > 0: `steps` equal ratios, then bisection
// of each that begins and ends differently, to `precision` of ln(x). A change and its undoing
// within one step may go unseen.
[[nodiscard]] std::vector<Flip> find_flips(
    double low, double high, int steps, const Outcome& outcome, double precision = 1e-4);

// The same from now / widest to now * widest in steps that widen with the distance, from 3 % next
// to `now` to 10 %: what is near is what is asked for, and fleets of whole machines change places
// often.
[[nodiscard]] std::vector<Flip> find_flips_around(double now,
                                                  double widest,
                                                  const Outcome& outcome,
                                                  double precision = 1e-4);

}  // namespace rightsize
