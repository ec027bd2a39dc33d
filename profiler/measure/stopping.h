// When a run is warm, when it has seen enough, and whether what it saw can be believed.
#pragma once

#include <string>
#include <vector>

namespace rightsize {

struct StopOptions {
  double window_s = 0.5;    // a window is at least this long and at least one step
  double max_warmup_s = 3;  // warm-up ends at the latest then
  double min_s = 2;         // of measuring, after warm-up
  double max_s = 10;        // of the whole run, warm-up included
  int min_windows = 6;      // fewer have no 95 % interval of the median
  int min_epochs = 2;       // with a dataset: one cold and one warm, if max_s allows
  int max_epochs = 0;       // with a dataset: stop after so many; 0: as many as it takes
  // A server's rate is its callers' doing: warm-up lasts max_warmup_s and measuring until max_s,
  // and no noise of the rate is held against it.
  bool whole_time = false;
  // Half the 95 % interval of the median over the median: stop at `noise_target`, do not believe
  // above `noise_limit`.
  double noise_target = 0.03;
  double noise_limit = 0.10;

  bool operator==(const StopOptions&) const = default;
};

enum class StopVerdict { go_on, enough, noisy };

// Fed with the rate of one window after the other. Warm-up: until three rates in a row lie within
// 10 % of each other, or its time is up. Then it measures until the noise target is met, or the
// time is up, or more time would not help ("stable but noisy").
class StoppingRule {
 public:
  explicit StoppingRule(const StopOptions& options) : options_(options) {}

  // A window of `seconds` at `rate` ended; returns true when it belongs to the warm-up.
  bool add(double rate, double seconds);

  // The steady state begins anew: the first epoch, read from the disk, is over.
  void restart() {
    rates_.clear();
    measured_s_ = 0;
  }

  // With a dataset, enough is not enough before `min_epochs`; the caller counts epochs.
  [[nodiscard]] StopVerdict verdict(int epochs, bool has_epochs) const;

  // The same when there is nothing more to measure.
  [[nodiscard]] StopVerdict verdict_at_end() const;

  [[nodiscard]] bool warm() const { return warm_; }
  [[nodiscard]] double warmup_s() const { return warmup_s_; }
  // Half the interval of the median over the median; 1 with too few windows.
  [[nodiscard]] double noise() const;
  [[nodiscard]] std::string reason() const;
  // The same for work that ended by itself: more time would not help.
  [[nodiscard]] std::string reason_at_end() const;

 private:
  [[nodiscard]] bool hopeless() const;

  StopOptions options_;
  std::vector<double> warming_;  // rates seen while warming up
  std::vector<double> rates_;
  bool warm_ = false;
  double warmup_s_ = 0;
  double measured_s_ = 0;
  double total_s_ = 0;
};

}  // namespace rightsize
