// What a machine that is only described is to a service: the largest minibatch it takes, what it
// answers in time, and how many of it answer the whole load. By the rules that advise's choice
// comes down to (serves_better, size_fleet): one question, one answer.
#pragma once

#include "advisor/machine/batch_time.h"
#include "advisor/machine/configuration.h"
#include "advisor/machine/estimator.h"
#include "advisor/service/service.h"

namespace rightsize {

struct ServiceAnswer {
  Answer answer;  // of the machine in its largest minibatches; or why there is none
  BatchTime time;
  ServerFleet fleet;  // as many as the load takes; of 0 machines: no number answers in time
  Estimate each;      // requests/s that one machine answers in time, by its speed; 0: none
  ServingPoint full;  // of one machine that is asked for fleet.each_per_s, at the expected times
};

// `asked` has a service. The limit of its minibatch is asked.batch where that is stated, else the
// best of asked.batches; nodes above one are that many machines.
[[nodiscard]] ServiceAnswer answer_service(Estimator& estimator, const Configuration& asked);

// Why no number of them answers in time, a sentence's end; "" where some number does.
[[nodiscard]] std::string too_slow(const Service& service, const ServiceAnswer& answer);

}  // namespace rightsize
