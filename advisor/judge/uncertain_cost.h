// What an option's cost rests on, so that two options can be uncertain together: options that share
// a GPU, a CPU family or a disk class share its error; the model's own error is common to all.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>

#include "advisor/judge/bill_curve.h"

namespace rightsize {

// ln(cost), or of whatever is to be least, of one option: its mean and the standard deviations of
// its independent causes.
struct UncertainCost {
  double log_mean = 0;
  double model_sd = 0;        // common to all options
  double accelerator_sd = 0;  // shared by options of one `gpu`
  double cpu_speed_sd = 0;    // shared by options of one `cpu`
  double disk_sd = 0;         // shared by options of one `disk`
  double own_sd = 0;          // nobody else's
  std::string gpu;
  std::string cpu;
  std::string disk;
  BillCurve bill;          // of a job; what is least is (1 - time_weight) of its ln, and
  double time_weight = 0;  // so much of the time's
  // Of an error to the sooner side so much counts (Prediction::faster); not of fleets, whose costs
  // move in steps.
  double faster = 1;

  // How far ln(time) turns out by an error that the causes have added up to.
  [[nodiscard]] double ln_time(double error) const { return error < 0 ? faster * error : error; }
  // With such an error.
  [[nodiscard]] double moved(double error) const {
    const double ln_factor = ln_time(error);
    if (bill.moves_with_time()) {
      return log_mean + ln_factor;
    }
    return time_weight == 0
               ? bill.ln_bill(ln_factor)
               : log_mean + (1 - time_weight) * bill.ln_moved(ln_factor) + time_weight * ln_factor;
  }
  // The largest error with which one that moves with the time costs no more than that.
  [[nodiscard]] double error_within(double ln_cost) const {
    const double ln_factor = ln_cost - log_mean;
    return ln_factor < 0 ? ln_factor / faster : ln_factor;
  }
  [[nodiscard]] double total_sd() const {
    return std::hypot(std::hypot(model_sd, accelerator_sd, cpu_speed_sd), disk_sd, own_sd);
  }
};

// ln(cost) of option `i` when its work takes exp(`ln_factor`) times as long as expected, for costs
// that move in steps: a fleet is whole machines. Never falling with the factor. Infinite: no number
// of them is enough.
using StepCost = std::function<double(std::size_t i, double ln_factor)>;

}  // namespace rightsize
