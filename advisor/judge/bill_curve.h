// What a job's bill comes to as its time turns out: providers bill whole minutes, hours or months
// and some time at least, and data is moved once, so it need not move with the time. Prepared on a
// grid, between whose points it is taken for straight.
#pragma once

#include <functional>
#include <vector>

namespace rightsize {

class BillCurve {
 public:
  static constexpr double reach = 6;  // of the grid: standard deviations on either side

  // Moves with the time.
  BillCurve() = default;
  // `cost_of(hours)`, above 0 and never falling, of a job that is expected to take `hours`, with
  // `log_sd` of ln(hours).
  BillCurve(const std::function<double(double)>& cost_of, double hours, double log_sd);

  [[nodiscard]] bool moves_with_time() const { return ln_bills_.empty(); }
  // ln(bill / that of the expected time) when it takes exp(`ln_factor`) times as long.
  [[nodiscard]] double ln_bill(double ln_factor) const;

 private:
  double step_ = 0;
  std::vector<double> ln_bills_;
};

// P(the bill is within `budget`); the time is lognormal as above.
[[nodiscard]] double chance_within(double budget,
                                   const std::function<double(double)>& cost_of,
                                   double hours,
                                   double log_sd);

}  // namespace rightsize
