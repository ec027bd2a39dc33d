// What a job's bill comes to as its time turns out: providers bill whole minutes, hours or months
// and some time at least, and data is moved once, so it need not move with the time. Prepared on a
// grid, of whose points the nearest answers: equal bills stay equal to the last bit, so that ties
// are ties.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace rightsize {

class BillCurve {
 public:
  // Moves with the time.
  BillCurve() = default;
  // `cost_of(hours)`, above 0 and never falling (infinite: beyond what money counts), of a job that
  // is expected to take `hours`, with `log_sd` of ln(hours), to the sooner side with as much of it
  // as `faster` says.
  BillCurve(const std::function<double(double)>& cost_of,
            double hours,
            double log_sd,
            double faster = 1);

  [[nodiscard]] bool moves_with_time() const { return ln_bills_.empty(); }
  // ln(bill) when it takes exp(`ln_factor`) times as long; of one that does not move with the time.
  [[nodiscard]] double ln_bill(double ln_factor) const;
  // What it typically comes to.
  [[nodiscard]] double ln_typical() const { return ln_typical_; }
  // ln_bill() over that.
  [[nodiscard]] double ln_moved(double ln_factor) const { return ln_bill(ln_factor) - ln_typical_; }

 private:
  // Between two points that are known.
  template <typename LnBillAt>
  void fill(std::size_t from, std::size_t to, const LnBillAt& ln_bill_at);

  double step_ = 0;
  double ln_typical_ = 0;
  std::vector<double> ln_bills_;
};

// The geometric mean of such times over the expected one: above 1 where they may be much longer and
// hardly shorter. Of the halves of a normal distribution each has a mean of 1 / sqrt(2 pi).
[[nodiscard]] inline double typical_times(double log_sd, double faster) {
  return std::exp(log_sd * (1 - faster) * std::numbers::inv_sqrtpi / std::numbers::sqrt2);
}

// What it typically comes to: the geometric mean over its times, which of one that moves with the
// time is the bill of the typical time. That alone may stand just below a step. `step_h`: hours
// that are billed at once; 0: unknown, or none that are equal.
[[nodiscard]] double typical_bill(const std::function<double(double)>& cost_of,
                                  double hours,
                                  double log_sd,
                                  double step_h = 0,
                                  double faster = 1);

// P(the bill is within `budget`); the time is lognormal as above, to the sooner side with as much
// of `log_sd` as `faster` says.
[[nodiscard]] double chance_within(double budget,
                                   const std::function<double(double)>& cost_of,
                                   double hours,
                                   double log_sd,
                                   double faster = 1);

}  // namespace rightsize
