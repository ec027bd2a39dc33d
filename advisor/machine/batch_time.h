// How long one replica takes for a minibatch of b requests: the estimator's times at the sizes that
// the laws of serving take. advise takes the same ones (judge_service.cpp).
#pragma once

#include <optional>

#include "advisor/machine/configuration.h"
#include "advisor/machine/estimator.h"
#include "models/laws/minibatch_time.h"

namespace rightsize {

struct BatchTime {
  MinibatchTime law;  // of one GPU, or of one machine without
  double log_sd = 0;  // of ln(time), at the largest minibatch
  Source source = Source::assumed;
};

// Of `asked` inferring without a data path, in minibatches of at most `max_batch`, whose answer
// `answer` is. nullopt with the reason there where that cannot be estimated (memory, an unknown
// network).
[[nodiscard]] std::optional<BatchTime> batch_time(Estimator& estimator,
                                                  Configuration asked,
                                                  int max_batch,
                                                  Answer& answer);

}  // namespace rightsize
