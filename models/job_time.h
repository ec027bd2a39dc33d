// A job from its first item to its last: the first epoch reads everything from the disk, the others
// what the page cache does not serve, and both spend what the disk has saved up (disk_credits.h).
// One law for every command, so that a job takes the same time in each. One node.
#pragma once

#include "models/predict.h"

namespace rightsize {

struct JobLength {
  double items = 0;   // of one epoch, on this node
  double epochs = 1;  // may be a part of one
  // Of moving the model itself: its weights before the first step, its state after the last.
  double moving_s = 0;
  double moving_log_sd = 0;  // of ln(moving_s), the disk's

  // Of the first epoch, or of the part of it that there is; and of all others together.
  [[nodiscard]] double first_items() const { return epochs < 1 ? epochs * items : items; }
  [[nodiscard]] double later_items() const { return epochs > 1 ? (epochs - 1) * items : 0; }
};

// Seconds of the whole job: the first epoch at the cold rate, the others at the steady one, and the
// model's own way from and to the disk.
[[nodiscard]] double job_seconds(const Prediction& prediction, const JobLength& length);

// The part of it that goes into moving the model.
[[nodiscard]] double moving_share(const Prediction& prediction, const JobLength& length);

// The standard deviation of its logarithm, to first order: the rates' for the part that is
// computed and the disk's for the part that is moved, where the same disk limits both.
[[nodiscard]] double job_log_sd(const Prediction& prediction, const JobLength& length);

// How much of it an error to the sooner side counts (Prediction::faster).
[[nodiscard]] double job_faster(const Prediction& prediction, const JobLength& length);

// The machine as the rates of so many epochs are asked of it: a job that ends with its first epoch
// finds nothing of its data in memory, however much there is.
[[nodiscard]] Setting lasting(Setting machine, double epochs);

struct JobPrediction {
  // cold_items_per_s: of the first epoch; items_per_s: of the later ones, of the first where it is
  // the only one.
  Prediction prediction;
  DiskSpeed later;         // that they find on average; the setting's where credits do not matter
  bool on_credit = false;  // whether what the disk has saved up counts
};

// Of a machine whose disk is rested when the job begins. Credits are left out where the disk limits
// neither the first epoch nor the later ones.
[[nodiscard]] JobPrediction predict_job(const Predictor& predictor,
                                        const Setting& machine,
                                        const SettingUncertainty& uncertainty,
                                        const JobLength& length);

}  // namespace rightsize
