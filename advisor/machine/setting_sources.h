// What an answer rests on, and the one rule by which its source is named: as good as the weakest
// input that matters, one that moves the answer by a fifth of its own error.
#pragma once

#include "models/estimate.h"
#include "models/job_time.h"
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

// Of a job's hours by the same rule: `of_rate` where computing matters, `of_disk` where moving the
// model does.
[[nodiscard]] Source source_of_hours(Source of_rate,
                                     Source of_disk,
                                     const Prediction& prediction,
                                     const JobLength& length);

}  // namespace rightsize
