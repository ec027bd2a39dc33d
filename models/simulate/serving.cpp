#include "models/simulate/serving.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <vector>

#include "models/simulate/random.h"
#include "models/simulate/timers.h"
#include "profiler/histogram.h"

namespace rightsize {
namespace {

using simulate::from_seconds;
using simulate::Nanoseconds;
using simulate::never;
using simulate::to_seconds;

class ServingSimulation {
 public:
  ServingSimulation(const MinibatchTime& time,
                    const ServingLoad& load,
                    const ServingOptions& options)
      : time_(time),
        load_(load),
        options_(options),
        random_(options.seed),
        replicas_(static_cast<std::size_t>(std::max(1, load.replicas))),
        answers_(replicas_.size()),
        windows_(replicas_.size()),
        max_delay_(from_seconds(load.max_delay_s)),
        counted_(options.arrivals.empty() ? options.requests : options.arrivals.size()),
        warmup_(options.arrivals.empty()
                    ? static_cast<std::uint64_t>(options.warmup_share *
                                                 static_cast<double>(options.requests))
                    : 0) {}

  ServingSummary run() {
    Nanoseconds arrival = next_arrival();
    while (arrival < never || answers_.due() < never || windows_.due() < never) {
      const Nanoseconds next = std::min(arrival, std::min(answers_.due(), windows_.due()));
      assert(next >= now_);  // nothing happens in the past
      now_ = next;
      ++events_;
      if (answers_.due() == next) {
        answered(answers_.first());
      } else if (windows_.due() == next) {
        begin(windows_.first());
      } else {
        arrived();
        arrival = next_arrival();
      }
    }
    return summary();
  }

 private:
  struct Replica {
    std::deque<Nanoseconds> waiting;  // when they arrived
    std::vector<Nanoseconds> working;
    Nanoseconds busy = 0;
  };

  Nanoseconds next_arrival() {
    if (generated_ == warmup_ + counted_) {
      return never;
    }
    ++generated_;
    if (!options_.arrivals.empty()) {
      return options_.arrivals[static_cast<std::size_t>(generated_ - 1)];
    }
    if (group_left_ > 0) {
      --group_left_;
      return arrival_;
    }
    arrival_ += from_seconds(random_.exponential(load_.group_size / load_.requests_per_s));
    // Geometric with this mean: one more while chance lasts.
    while (load_.group_size > 1 && random_.uniform() < 1 - 1 / load_.group_size) {
      ++group_left_;
    }
    return arrival_;
  }

  void arrived() {
    ++arrivals_;
    last_arrival_ = now_;
    if (arrivals_ == warmup_ + 1) {
      begin_ = now_;
      for (auto& replica : replicas_) {
        replica.busy = 0;
      }
      batches_ = batched_ = 0;
    }
    const auto chosen = choose();
    auto& replica = replicas_[chosen];
    if (replica.waiting.size() >= options_.queue_limit) {
      ++turned_away_;
      return;
    }
    replica.waiting.push_back(now_);
    begin_if_due(chosen);
  }

  std::size_t choose() {
    if (replicas_.size() == 1) {
      return 0;
    }
    if (options_.routing == Routing::random) {
      return static_cast<std::size_t>((random_.next() >> 32) * replicas_.size() >> 32);
    }
    const auto present = [](const Replica& r) { return r.waiting.size() + r.working.size(); };
    return static_cast<std::size_t>(
        std::min_element(replicas_.begin(),
                         replicas_.end(),
                         [&](const auto& a, const auto& b) { return present(a) < present(b); }) -
        replicas_.begin());
  }

  // An idle replica begins when a minibatch is full or its oldest has waited long enough.
  void begin_if_due(std::size_t index) {
    const auto& replica = replicas_[index];
    if (!replica.working.empty() || replica.waiting.empty()) {
      return;
    }
    const Nanoseconds due = replica.waiting.front() + max_delay_;
    if (replica.waiting.size() >= static_cast<std::size_t>(load_.max_batch) || due <= now_) {
      begin(index);
    } else {
      windows_.set(index, due);
    }
  }

  void begin(std::size_t index) {
    auto& replica = replicas_[index];
    windows_.set(index, never);
    const auto size = std::min(replica.waiting.size(), static_cast<std::size_t>(load_.max_batch));
    const auto end = replica.waiting.begin() + static_cast<std::ptrdiff_t>(size);
    replica.working.assign(replica.waiting.begin(), end);
    replica.waiting.erase(replica.waiting.begin(), end);
    const double factor =
        options_.time_deviation > 0 ? random_.factor(options_.time_deviation) : 1.0;
    const Nanoseconds took = from_seconds(step_seconds(time_, static_cast<double>(size)) * factor);
    answers_.set(index, now_ + took);
    replica.busy += took;
    ++batches_;
    batched_ += size;
  }

  void answered(std::size_t index) {
    auto& replica = replicas_[index];
    answers_.set(index, never);
    for (const Nanoseconds arrival : replica.working) {
      if (arrivals_ > warmup_ && arrival >= begin_) {
        latencies_.add(now_ - arrival);
      }
    }
    replica.working.clear();
    begin_if_due(index);
  }

  ServingSummary summary() const {
    ServingSummary result;
    const double window_s = to_seconds(last_arrival_ - begin_);
    const double until_s = to_seconds(now_ - begin_);
    // Whoever comes last waits for company and is answered with it, however idle the replicas are.
    const double last_s = to_seconds(max_delay_) + step_seconds(time_, load_.max_batch);
    const double served_s = std::max(window_s, until_s - last_s);
    Nanoseconds busy = 0;
    for (const auto& replica : replicas_) {
      busy += replica.busy;
    }
    result.requests = latencies_.count();
    result.turned_away = turned_away_;
    result.offered_per_s = window_s > 0 ? static_cast<double>(counted_ - 1) / window_s : 0;
    result.served_per_s = served_s > 0 ? static_cast<double>(result.requests) / served_s : 0;
    result.mean_s = latencies_.mean_seconds();
    result.p50_s = latencies_.quantile_seconds(0.50);
    result.p95_s = latencies_.quantile_seconds(0.95);
    result.p99_s = latencies_.quantile_seconds(0.99);
    result.most_s = latencies_.most_seconds();
    result.mean_batch =
        batches_ > 0 ? static_cast<double>(batched_) / static_cast<double>(batches_) : 0;
    result.busy =
        until_s > 0 ? to_seconds(busy) / until_s / static_cast<double>(replicas_.size()) : 0;
    // When more is offered than served, the last arrival is answered long after it came.
    result.saturated = turned_away_ > 0 || served_s > 1.03 * window_s;
    result.events = events_;
    return result;
  }

  const MinibatchTime& time_;
  const ServingLoad& load_;
  const ServingOptions& options_;
  simulate::Random random_;
  std::vector<Replica> replicas_;
  simulate::Timers answers_;
  simulate::Timers windows_;
  Nanoseconds max_delay_;
  std::uint64_t counted_;
  std::uint64_t warmup_;
  Histogram latencies_;
  Nanoseconds now_ = 0;
  Nanoseconds arrival_ = 0;
  Nanoseconds last_arrival_ = 0;
  Nanoseconds begin_ = 0;  // of what is counted
  std::uint64_t generated_ = 0;
  std::uint64_t arrivals_ = 0;
  std::uint64_t group_left_ = 0;
  std::uint64_t batches_ = 0;
  std::uint64_t batched_ = 0;
  std::uint64_t turned_away_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace

ServingSummary simulate_serving(const MinibatchTime& time,
                                const ServingLoad& load,
                                const ServingOptions& options) {
  return ServingSimulation(time, load, options).run();
}

}  // namespace rightsize
