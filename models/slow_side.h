// How slow a pipeline may turn out whose resources are known up to errors of their own. Near a tie
// any of them may be the one that turns out slow, so that errors do not add up as those of a sum:
// P(X < x) = 1 - prod_r P(B_r > b_r(x)), where b_r(x) is what the resource r, the others as
// expected, is at a rate of x. Of the p-norm (pipeline.h), with the share of the rate
// w_r = (X / B_r)^p and y = ln(X / x): ln(B_r / b_r) = ln(1 + (e^(p y) - 1) / w_r) / p. As p grows
// it is the distribution of the least of independent quantities (Kotz & Nadarajah, "Extreme value
// distributions", 2000, 1.1). What is expected of a resource that is faster never makes it slower.
#pragma once

#include "models/pipeline.h"

namespace rightsize {

class SlowSide {
 public:
  // `items_per_s`: composed of them.
  SlowSide(const Bounds& bounds, double items_per_s, double sharpness);

  // Something uncertain that makes them so much slower when it is off by so many of its standard
  // deviations, > 0. What is off by itself adds up, for each resource, as a sum of squares.
  void add(const Bounds& slower, double deviations);

  // ln(X / x) of the lower end of the 90 % interval, in standard deviations of a normal; 0 where
  // nothing is uncertain.
  [[nodiscard]] double log_sd() const;

 private:
  [[nodiscard]] double slowed_by(std::size_t resource, double deviations) const;
  [[nodiscard]] double chance_of_more(double ln_slower) const;

  ResourceBounds bounds_;
  ResourceBounds ln_shares_;
  ResourceBounds squares_{};  // variances of ln(bound)
  double sharpness_;
};

}  // namespace rightsize
