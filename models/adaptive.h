// Which run to make next: the one that is expected to take most uncertainty off the answer per
// second it costs. Bayesian experimental design for a model that is linear around its fit:
// Chaloner & Verdinelli, "Bayesian Experimental Design: A Review", Statistical Science 10(3), 1995,
// section 2 (the criterion that weighs the variance of predictions, V- or I-optimality).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "models/model.h"
#include "models/setting.h"
#include "profiler/record.h"

namespace rightsize {

// A run that could be made. Workload, limits and dataset of `record` are read; what was measured
// is not, so a record with none will do.
struct PossibleRun {
  Setting setting;
  double seconds = 1;  // what it costs
  bool done = false;
};

// Where to begin when nothing is known: for each workload the run with the most of everything, then
// those that take one resource away, scarcest first; in the order of what they teach, at most
// `count`. Indices into `runs`, without those done.
[[nodiscard]] std::vector<std::size_t> first_runs(std::span<const PossibleRun> runs,
                                                  std::size_t count);

// Greedy: a measurement of run x with noise s moves the covariance of the parameters' logarithms to
//   C - C g g' C / (s^2 + g' C g),    g = d ln(rate of x) / d ln(parameters);
// the drop in the mean variance of ln(rate) over all `runs` (they are the answer), divided by the
// seconds of x, decides. An index into `runs`; nullopt when every run is done.
[[nodiscard]] std::optional<std::size_t> next_run(const Model& model,
                                                  std::span<const PossibleRun> runs);

// How well the answer is known: the median over `runs` of the relative half width of the 90 %
// interval of the predicted rate.
[[nodiscard]] double answer_uncertainty(const Model& model, std::span<const PossibleRun> runs);

// The loop around the three: begins with first_runs(), fits what was measured, asks for the next
// run, and is content when the answer is known to within `target`.
class AdaptivePlan {
 public:
  struct Options {
    double target = 0.05;        // of answer_uncertainty()
    std::size_t first_runs = 4;  // before the first fit
    std::size_t least_runs = 6;  // fewer have no cross-validated error worth believing
  };
  AdaptivePlan(std::vector<PossibleRun> runs, const Options& options)
      : runs_(std::move(runs)), options_(options) {}

  // The run to make now, given all records there are; nullopt: content, or nothing left. A run that
  // was asked for counts as done, whatever became of it.
  [[nodiscard]] std::optional<std::size_t> next(std::span<const Record> records);

  // Of the last fit; nullopt before there was one.
  [[nodiscard]] std::optional<double> uncertainty() const { return uncertainty_; }
  [[nodiscard]] bool content() const { return uncertainty_ && *uncertainty_ <= options_.target; }
  // Marks a run as made earlier.
  void mark_done(std::size_t index) { runs_[index].done = true; }

 private:
  [[nodiscard]] std::optional<std::size_t> take(std::optional<std::size_t> index);

  std::vector<PossibleRun> runs_;
  Options options_;
  std::optional<double> uncertainty_;
};

}  // namespace rightsize
