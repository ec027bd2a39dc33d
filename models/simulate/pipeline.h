// Plays the data path item by item: loader threads read (page cache, or a disk behind a token
// bucket where it has a limit, and one more of credits where it bursts), decode on shared CPUs,
// hand whole minibatches through a bounded buffer to the accelerator. The truth that the analytic
// composition (models/pipeline.h) is held against; also tells stalls apart.
//
// One total order of events: time, then CPU before seek before transfer before step, then the lower
// actor. Integers, seeded, no library's random numbers or logarithms: the same bytes everywhere.
// Memory does not grow with the simulated length.
#pragma once

#include <cstdint>
#include <span>

#include "models/job_time.h"
#include "models/predict.h"
#include "models/setting.h"
#include "models/simulate/trace.h"

namespace rightsize {

struct SimulationOptions {
  std::uint64_t seed = 1;
  // After the warm-up, and what share of them is simulated before and not counted: of either as
  // many more as it takes until threads that begin at once no longer come in one wave.
  std::uint64_t items = 20000;
  double warmup_share = 0.1;
  double decode_deviation = 0.25;  // standard deviation / mean of one item's CPU work
  double step_deviation = 0.01;    // of one step of the accelerator
  double miss_ratio = -1;          // -1: from the page-cache law; 1: cold; 0: all cached
  std::uint64_t cold_items = 0;    // the first, with the warm-up's, whatever the ratio: never read
  int items_per_event = 1;         // a worker's items played as one; the batch or more: whole ones
  // A fraction of a vCPU is a quota on whole ones, renewed as often as Linux does; 0: it flows
  // evenly.
  double quota_period_s = 0.1;
  int disk_queue_depth = 0;  // seeks under way at once; 0: one per loader thread
  // Measured times over their mean, drawn at random instead of the bells above: stragglers as seen.
  std::span<const double> decode_factors;
  std::span<const double> step_factors;
  simulate::Trace* trace = nullptr;  // when set: what everybody did after the warm-up
};

// Simulated time that is counted exactly (time.h, cpu_pool.h): playing longer is nobody's to ask.
inline constexpr double most_simulated_s = 365.25 * 24 * 3600;

// Items that simulate_pipeline() plays at least, those of its warm-up with them, however few are
// asked for.
[[nodiscard]] std::uint64_t fewest_simulated_items(const Setting& setting);

struct SimulationSummary {
  double items_per_s = 0;
  std::uint64_t items = 0;
  double seconds = 0;    // simulated
  double disk_busy = 0;  // shares of the simulated time
  double cpu_busy = 0;   // of all vCPUs
  double accelerator_busy = 0;
  double accelerator_wait = 0;    // the data stall; busy + wait = 1
  double accelerator_copy = 0;    // part of busy: copies that nothing hid
  double ready_batches_mean = 0;  // decoded minibatches that wait for the accelerator, over time
  std::uint64_t ready_batches_most = 0;
  std::uint64_t events = 0;  // with those of the warm-up
};

[[nodiscard]] SimulationSummary simulate_pipeline(const Laws& laws,
                                                  const Setting& setting,
                                                  const SimulationOptions& options = {});

// A job played whole, minibatch by minibatch, on a disk that is rested when it begins.
struct JobSimulation {
  double first_s = 0;  // of the first epoch, which reads everything from the disk
  double later_s = 0;  // of all others together
  std::uint64_t items = 0;
  std::uint64_t events = 0;
};

// Of the options the seed, the deviations and the queue count.
[[nodiscard]] JobSimulation simulate_job(const Laws& laws,
                                         const Setting& setting,
                                         const SimulationOptions& options,
                                         const JobLength& length);

// Stalls as shares of the time, told apart by differential runs (Mohan et al., "Analyzing and
// mitigating data stalls in DNN training", VLDB 2021): data always ready, all cached, as asked.
// They add up to 1.
struct StallBreakdown {
  double compute = 0;
  double exchange = 0;  // of gradients, by the setting's share
  double launch = 0;    // waiting for the host to launch kernels, likewise
  double copy = 0;      // host to device, as far as computing does not hide it
  double prep_stall = 0;
  double fetch_stall = 0;
};

[[nodiscard]] StallBreakdown simulated_stalls(const Laws& laws,
                                              const Setting& setting,
                                              const SimulationOptions& options = {});

}  // namespace rightsize
