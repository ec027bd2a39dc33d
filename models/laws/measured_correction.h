// What measured rates say beyond a law: ln(measured / law) at some batches, straight in ln(batch)
// between them and as at the nearest beyond.
#pragma once

#include <map>

namespace rightsize {

inline constexpr double measured_log_sd = 0.03;  // our own runs repeat to a few per cent
inline constexpr double far_log_sd = 0.10;       // per factor e beyond what was measured

struct MeasuredCorrection {
  double log_ratio = 0;
  double beyond = 0;  // of ln(batch), from the nearest that was measured; 0: between two, or at one
  double far = 0;     // the same where it is between two
  double below = 0;   // ln(batch) of those that it was taken from, one twice but between two
  double above = 0;
};

// By ln(batch); `known` is not empty.
[[nodiscard]] MeasuredCorrection measured_correction(const std::map<double, double>& known,
                                                     double log_batch);

}  // namespace rightsize
