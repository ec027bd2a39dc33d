// What an answer rests on, and the one rule by which its source is named: as good as the weakest
// input that matters, one that moves the answer by a fifth of its own error.
#pragma once

#include "models/estimate.h"
#include "models/predict.h"

namespace rightsize {

struct SettingSources {
  Source model = Source::fitted;  // the laws themselves
  Source accelerator = Source::fitted;
  Source cpu_speed = Source::fitted;
  Source disk = Source::fitted;
};

[[nodiscard]] Source source_that_matters(const SettingSources& sources,
                                         const SettingUncertainty& uncertainty,
                                         const Prediction& prediction);

}  // namespace rightsize
