#include "profiler/serving/latencies.h"

#include <algorithm>
#include <cmath>

#include "profiler/histogram.h"
#include "profiler/measure/statistics.h"

namespace rightsize {
namespace {

constexpr double normal_95 = 1.959964;  // the normal distribution's quantile of 0.975

std::int64_t nanoseconds(double seconds) {
  return static_cast<std::int64_t>(seconds * 1e9 + 0.5);
}

// Variance over mean of how many come in a given time: of groups of geometric size with mean g at
// Poisson instants 2 g - 1; else what the windows show, as 1 or more.
double dispersion_of(std::span<const RunWindow> windows, std::optional<double> group_size) {
  if (group_size) {
    return 2 * *group_size - 1;
  }
  double sum = 0;
  double squares = 0;
  for (const auto& window : windows) {
    const auto come = static_cast<double>(window.come);
    sum += come;
    squares += come * come;
  }
  const auto count = static_cast<double>(windows.size());
  return sum > 0 ? std::max(1.0, (squares - sum * sum / count) / sum) : 1;
}

// The queue's mean over the last third against the first: a queue in balance comes back. An engine
// that never rests says so beside it, or more that wait than chance makes of so many callers
// (`deviation` of their number): what lies between minibatches is not the engine's time.
bool keeps_growing(std::span<const RunWindow> windows, const Served& served, double deviation) {
  constexpr double never_idle = 0.97;
  const auto third = windows.size() / 3;
  if (third == 0) {
    return false;
  }
  const auto mean_waiting = [&](std::span<const RunWindow> some) {
    double sum = 0;
    for (const auto& window : some) {
      sum += static_cast<double>(window.waiting);
    }
    return sum / static_cast<double>(some.size());
  };
  const double grown = mean_waiting(windows.last(third)) - mean_waiting(windows.first(third));
  const bool beyond_chance = grown > 4 * deviation;
  return grown > 2 * served.mean_batch && (served.busy >= never_idle || beyond_chance);
}

// Ranks of order statistics that hold the p-quantile: binomial, by its normal limit.
void fill_tail(const Histogram& latencies, Served& served) {
  constexpr double p = 0.99;
  const auto n = static_cast<double>(latencies.count());
  const double half = normal_95 * std::sqrt(n * p * (1 - p));
  served.p99_s = latencies.quantile_seconds(p);
  served.p99_low_s = latencies.quantile_seconds(std::max(0.0, (n * p - half) / n));
  const double high_rank = std::ceil(n * p + half);
  if (high_rank <= n) {
    served.p99_high_s = latencies.quantile_seconds(high_rank / n);
  }
}

}  // namespace

Served served_in(std::span<const RunWindow> windows, std::optional<double> group_size) {
  Served served;
  Histogram latencies;
  double seconds = 0;
  double busy_s = 0;
  std::uint64_t come = 0;
  std::size_t minibatches = 0;
  for (const auto& window : windows) {
    for (const double latency_s : window.latency_s) {
      latencies.add(nanoseconds(latency_s));
    }
    seconds += window.seconds;
    busy_s += window.busy_s;
    come += window.come;
    minibatches += window.step_s.size();
  }
  if (latencies.count() == 0 || seconds <= 0) {
    return served;
  }
  const auto answered = static_cast<double>(latencies.count());
  served.offered_per_s = static_cast<double>(come) / seconds;
  served.answered_per_s = answered / seconds;
  served.waiting = windows.back().waiting;
  served.mean_s = latencies.mean_seconds();
  served.p50_s = latencies.quantile_seconds(0.5);
  served.p95_s = latencies.quantile_seconds(0.95);
  fill_tail(latencies, served);
  served.most_s = latencies.most_seconds();
  served.mean_batch = answered / static_cast<double>(std::max<std::size_t>(minibatches, 1));
  served.busy = std::min(1.0, busy_s / seconds);
  served.saturated = keeps_growing(
      windows, served, std::sqrt(static_cast<double>(come) * dispersion_of(windows, group_size)));
  latencies.each([&](double value_s, std::uint64_t count) {
    served.latencies.push_back({value_s, count});
  });
  return served;
}

Measured mean_rate(std::span<const RunWindow> windows) {
  std::vector<double> rates;
  double items = 0;
  double seconds = 0;
  for (const auto& window : windows) {
    rates.push_back(static_cast<double>(window.items) / window.seconds);
    items += static_cast<double>(window.items);
    seconds += window.seconds;
  }
  auto rate = summarize(rates);
  const double mean = seconds > 0 ? items / seconds : 0;
  double squares = 0;
  for (const double one : rates) {
    squares += (one - mean) * (one - mean);
  }
  const auto n = static_cast<double>(rates.size());
  const double half = n > 1 ? normal_95 * std::sqrt(squares / (n - 1) / n) : 0;
  rate.median = mean;
  rate.low = std::max(0.0, mean - half);
  rate.high = mean + half;
  return rate;
}

}  // namespace rightsize
