// A job whose disk starts with saved-up credits (laws/disk.h): how long its first epoch takes, and
// what disk the later ones find. A rate over a time that the rate itself decides: the time T for
// which items / rate(disk averaged over T) = T. One node.
#pragma once

#include "models/laws/disk.h"
#include "models/model.h"
#include "models/setting.h"

namespace rightsize {

// Seconds that `items` take from the setting's disk, rested when they begin. `miss` as in
// bounds_of: the share of reads that the page cache does not serve, less than 0 for its own.
[[nodiscard]] double seconds_on_credit(const Laws& laws,
                                       const Setting& setting,
                                       double items,
                                       double miss);

// The disk after `seconds` in which it served `requests`: what these took beyond what was earned is
// gone from its credits, of which there are never less than none nor more than it began with.
[[nodiscard]] DiskSpeed left_after(DiskSpeed disk, double seconds, double requests);

struct EpochsOnCredit {
  double first_s = 0;  // of the first epoch, which reads everything from the disk
  DiskSpeed later;     // on the average of the others; of the first where it is the only one
};

// `first` and `later` are the items of the first epoch, or of the part of it that there is, and of
// all others together.
[[nodiscard]] EpochsOnCredit epochs_on_credit(const Laws& laws,
                                              const Setting& setting,
                                              double first,
                                              double later);

}  // namespace rightsize
