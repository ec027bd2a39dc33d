// A sequence's mean time between tokens, over sequences whose outputs may differ in length. What is
// by chance in it is the less, the longer the output: of x means of them
//   sd(x) = crowd sqrt(f(x) / f(1)) + sqrt(prompts / (x output)),
// how many write beside it, and the prompts that come meanwhile. With F the distribution of
// outputs, those beside are as many as t before with a correlation of R(t) = the integral of 1 - F
// beyond t over the mean (an infinite-server queue), so that of their variance
//   f(x) = 2 / x^2 times the integral of (x - t) R(t) over t = 0 .. x
// is left in the mean over a life of x; 2/3 where all are as long. Few prompts skew it: a gamma
// distribution, moved, of that deviation and the skewness of the prompts' part, its quantiles by
// Wilson & Hilferty, "The distribution of chi-square", PNAS 17, 1931. Those that came during its
// own prompt fall to its first tokens.
#pragma once

#include "models/laws/length_spread.h"

namespace rightsize {

struct TokenPace {
  double mean_s = 0;
  double prompts_s = 0;   // of that, prompts
  double crowd_s = 0;     // a standard deviation of an output of the mean length, by who is beside
  double prompts_s2 = 0;  // a variance over such an output, by prompts
  double during_own_s = 0;   // in all, of prompts that came during its own
  double during_own_s2 = 0;  // its variance
  double output_tokens = 0;
  OutputSpread outputs{};

  // `z` deviations above the middle, of a normal of all sequences.
  [[nodiscard]] double seconds(double z) const;
};

}  // namespace rightsize
