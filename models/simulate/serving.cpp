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
    while (arrivals_ < warmup_ + counted_ || unanswered_ > 0) {
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
  struct Request {
    Nanoseconds arrival = 0;
    bool counted = false;
  };
  struct Replica {
    std::deque<Request> waiting;
    std::vector<Request> working;
    Nanoseconds until = 0;  // when it is done with the latest minibatch
    Nanoseconds busy = 0;   // with those that began in the window, whole

    [[nodiscard]] Nanoseconds left(Nanoseconds now) const {
      return std::max<Nanoseconds>(0, until - now);
    }
  };

  [[nodiscard]] bool listed() const { return !options_.arrivals.empty(); }

  // A load goes on after the last that is counted, until that is answered: it is not the end of
  // the requests that it waits for. As many again are enough; of an overload no number is.
  Nanoseconds next_arrival() {
    if (generated_ == warmup_ + counted_ + (listed() ? 0 : counted_)) {
      return never;
    }
    ++generated_;
    if (listed()) {
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
    if (arrivals_ == warmup_ + 1) {
      open_window();
    }
    const bool counted = arrivals_ > warmup_ && arrivals_ <= warmup_ + counted_;
    take({now_, counted});
    if (arrivals_ == warmup_ + counted_) {
      close_window();
    }
  }

  void take(const Request& request) {
    const auto chosen = choose();
    auto& replica = replicas_[chosen];
    if (replica.waiting.size() >= options_.queue_limit) {
      turned_away_ += arrivals_ <= warmup_ + counted_ ? 1 : 0;
      return;
    }
    unanswered_ += request.counted ? 1 : 0;
    replica.waiting.push_back(request);
    begin_if_due(chosen);
  }

  void open_window() {
    begin_ = now_;
    for (auto& replica : replicas_) {
      replica.busy = replica.left(now_);
    }
    batches_ = batched_ = answered_ = 0;
  }

  // What was done from the first that is counted to the last.
  void close_window() {
    window_s_ = to_seconds(now_ - begin_);
    answered_in_window_ = answered_;
    busy_s_ = 0;
    for (const auto& replica : replicas_) {
      busy_s_ += to_seconds(replica.busy - replica.left(now_));
    }
    mean_batch_ = batches_ > 0 ? static_cast<double>(batched_) / static_cast<double>(batches_) : 0;
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
    const Nanoseconds due = replica.waiting.front().arrival + max_delay_;
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
    replica.until = now_ + took;
    answers_.set(index, replica.until);
    replica.busy += took;
    ++batches_;
    batched_ += size;
  }

  void answered(std::size_t index) {
    auto& replica = replicas_[index];
    answers_.set(index, never);
    for (const auto& [arrival, counted] : replica.working) {
      if (counted) {
        latencies_.add(now_ - arrival);
        --unanswered_;
      }
    }
    answered_ += replica.working.size();
    replica.working.clear();
    begin_if_due(index);
  }

  // By the law: how long the queue happens to be when a window ends tells of its last burst.
  [[nodiscard]] bool overloaded() const {
    const double busy_s = load_.requests_per_s * step_seconds(time_, load_.max_batch);
    return busy_s >= static_cast<double>(replicas_.size()) * load_.max_batch;
  }

  ServingSummary summary() const {
    ServingSummary result;
    result.requests = latencies_.count();
    result.turned_away = turned_away_;
    result.offered_per_s = window_s_ > 0 ? static_cast<double>(counted_ - 1) / window_s_ : 0;
    result.mean_s = latencies_.mean_seconds();
    result.p50_s = latencies_.quantile_seconds(0.50);
    result.p95_s = latencies_.quantile_seconds(0.95);
    result.p99_s = latencies_.quantile_seconds(0.99);
    result.most_s = latencies_.most_seconds();
    result.mean_batch = mean_batch_;
    result.busy = window_s_ > 0 ? busy_s_ / window_s_ / static_cast<double>(replicas_.size()) : 0;
    result.saturated = turned_away_ > 0 || (!listed() && overloaded());
    // What keeps up serves what comes: in the window as many were answered, but for those under way
    // when it began and when it ended.
    result.served_per_s = result.saturated && window_s_ > 0
                              ? static_cast<double>(answered_in_window_) / window_s_
                              : result.offered_per_s;
    result.events = events_;
    return listed() ? of_whole_list(result) : result;
  }

  // It ends: what is left then is done all the same.
  ServingSummary of_whole_list(ServingSummary result) const {
    const double until_s = to_seconds(now_ - begin_);
    // Whoever comes last waits for company and is answered with it, however idle the replicas are.
    const double last_s = to_seconds(max_delay_) + step_seconds(time_, load_.max_batch);
    const double served_s = std::max(window_s_, until_s - last_s);
    Nanoseconds busy = 0;
    for (const auto& replica : replicas_) {
      busy += replica.busy;
    }
    const auto after_first = static_cast<double>(std::max<std::uint64_t>(1, result.requests) - 1);
    result.served_per_s = served_s > 0 ? after_first / served_s : 0;
    result.mean_batch =
        batches_ > 0 ? static_cast<double>(batched_) / static_cast<double>(batches_) : 0;
    result.busy =
        until_s > 0 ? to_seconds(busy) / until_s / static_cast<double>(replicas_.size()) : 0;
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
  Nanoseconds begin_ = 0;  // of what is counted
  double window_s_ = 0;    // from the first that is counted to the last
  double busy_s_ = 0;      // in the window, of all replicas
  double mean_batch_ = 0;  // of those begun in the window
  std::uint64_t generated_ = 0;
  std::uint64_t arrivals_ = 0;
  std::uint64_t unanswered_ = 0;  // of those that are counted
  std::uint64_t answered_ = 0;    // counted or not
  std::uint64_t answered_in_window_ = 0;
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
