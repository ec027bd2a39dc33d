// Verify of a service: one replica of the chosen fleet emulated here, asked for its share of the
// load, and its 99th percentile held against what such a replica should show.
#pragma once

#include <string>
#include <vector>

#include "advisor/recommendation.h"
#include "advisor/verify.h"

namespace rightsize {

// One replica at `scale` of its speed: it takes 1 / scale times as long for everything, and is
// asked for `scale` times the requests, so that its latencies are 1 / scale times the machine's.
struct ServiceRun {
  RunSpec spec;
  double scale = 1;
  MinibatchTime time;  // of the emulated replica
  Estimate p99;        // seconds, of this run
  Estimate answered;   // requests/s, of this run
  std::vector<std::string> notes;
};

// Requires option.service. `seconds` of measuring. Throws EmulationError.
[[nodiscard]] ServiceRun service_run(const Option& option,
                                     const Candidate& candidate,
                                     const Query& query,
                                     const Model& model,
                                     const Machine& here,
                                     double seconds);

struct ServiceVerification {
  double p99_s = 0;  // measured
  double answered_per_s = 0;
  bool believed = false;
  bool in_time = false;  // the p99 lies within the interval of what was predicted
  bool answers = false;  // as many as come
  [[nodiscard]] bool passes() const { return in_time && answers; }
};

[[nodiscard]] ServiceVerification service_verification(const ServiceRun& run, const Record& record);

// What a replica that takes t(size) for a minibatch filled up to `size` shows to the callers of
// `requests`, in the order of their coming, for `seconds`: latencies, unsorted. The rule of the
// minibatches is the profiler's, the times are the law's: no clock.
[[nodiscard]] std::vector<double> played_latencies(const Requests& requests,
                                                   std::uint64_t seed,
                                                   int largest,
                                                   const MinibatchTime& time,
                                                   double seconds);

}  // namespace rightsize
