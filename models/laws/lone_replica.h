// One replica that takes all requests, one minibatch after the other: the mean-field balance of its
// minibatches, what waits beyond one of them, and where both come from are told in serving.h.
#pragma once

#include <array>
#include <optional>

#include "models/laws/filling_wait.h"
#include "models/laws/overflow.h"
#include "models/laws/serving.h"

namespace rightsize {

class LoneReplica {
 public:
  // `time` is copied; load.replicas is not read.
  LoneReplica(const MinibatchTime& time, const ServingLoad& load);

  [[nodiscard]] double utilisation() const { return load_; }
  // Of what follows nothing is known from a utilisation of 1 on.
  [[nodiscard]] double mean_batch() const;
  [[nodiscard]] double mean() const;          // seconds from arrival to answer
  [[nodiscard]] double tail(double x) const;  // P(latency > x)
  [[nodiscard]] double longest_s() const;     // next to no latency is beyond

 private:
  void balance();
  [[nodiscard]] double idle_chance(double step_s) const;
  [[nodiscard]] double cycle_seconds(double batch) const;
  [[nodiscard]] double own_seconds(double size, double node) const;
  [[nodiscard]] double waited(double y, double width) const;

  MinibatchTime time_;
  double rate_;
  double group_;
  double most_;
  double window_s_ = 0;
  double load_ = 0;
  double batch_ = 1;
  double step_s_ = 0;
  double window_share_ = 0;  // of requests whose minibatch began by a window on an idle replica
  // Of the minibatch a request finds itself in, by node.
  std::array<double, 3> own_window_s_{};
  std::array<double, 3> own_step_s_{};
  Overflow overflow_;
  std::optional<FillingWait> filling_;  // where that ends before the window
};

}  // namespace rightsize
