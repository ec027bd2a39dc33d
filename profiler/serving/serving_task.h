// A server as the work of a run: it sleeps until requests are due, answers a minibatch of them, and
// says how long each had to wait.
#pragma once

#include <memory>
#include <vector>

#include "profiler/measure/clock.h"
#include "profiler/measure/task.h"
#include "profiler/serving/minibatches.h"

namespace rightsize {

class SleepingClock : public Clock {
 public:
  // Until now_s() is `instant_s`; at once when it is past.
  virtual void sleep_until(double instant_s) = 0;
};

class RequestServer {
 public:
  RequestServer() = default;
  RequestServer(const RequestServer&) = delete;
  RequestServer& operator=(const RequestServer&) = delete;
  virtual ~RequestServer() = default;

  [[nodiscard]] virtual TaskInfo info() const = 0;
  // At least one, at most a full minibatch.
  virtual StepResult answer(std::size_t requests) = 0;
};

// Ends when nobody comes any more before `closing_s`, seconds after its first step. The schedule is
// known in advance, so no second thread has to make requests: it would want CPU time of its own
// from under the run's limits.
[[nodiscard]] std::unique_ptr<Task> make_serving_task(Minibatches minibatches,
                                                      std::unique_ptr<RequestServer> server,
                                                      std::unique_ptr<SleepingClock> clock,
                                                      double closing_s);

// The sizes of minibatch that a server prepares an engine for: powers of two and the largest. An
// engine works on as many items as it was made for, so a minibatch is filled up to the next size,
// as servers of compiled networks do.
[[nodiscard]] std::vector<int> prepared_sizes(int largest);

// Of the built-in engines, each warmed up once. Throws EngineError, OutOfMemory, ArrivalsError.
[[nodiscard]] std::unique_ptr<Task> make_serving_task(const RunSpec& spec);

}  // namespace rightsize
