// How long one replica takes for a minibatch of b requests: the estimator's times of one request
// and of the largest minibatch, and the line t(b) = fixed + b per_item between them that the laws
// of serving take. advise draws the same one (service.h).
#pragma once

#include <optional>

#include "advisor/configuration.h"
#include "advisor/estimator.h"
#include "models/laws/step_time.h"

namespace rightsize {

struct BatchTime {
  StepTimeLaw law;         // of one GPU, or of one machine without
  double log_sd = 0;       // of ln(time), at the largest minibatch
  double worst_error = 0;  // of the line against the estimates between its ends, relative
  Source source = Source::assumed;
};

// Of `asked` inferring without a data path, at minibatches 1, 2, 4 ... `max_batch`. nullopt with
// the reason in `answer` where one of them cannot be estimated (memory, an unknown network).
[[nodiscard]] std::optional<BatchTime> batch_time(Estimator& estimator,
                                                  Configuration asked,
                                                  int max_batch,
                                                  Answer& answer);

}  // namespace rightsize
