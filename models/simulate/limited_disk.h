// The disk of a simulated data path: seeks that overlap, then transfers in order behind what the
// disk is limited to. A disk that bursts has two limits: the rate of its burst, and the requests it
// earns for ever with all its credits saved up when the simulation begins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "models/simulate/item_work.h"
#include "models/simulate/station.h"
#include "models/simulate/time.h"
#include "models/simulate/token_bucket.h"

namespace rightsize::simulate {

class LimitedDisk {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  // Room for one read of each of `actors`, of which `queue_depth` seek at once.
  LimitedDisk(const Setting& setting, std::size_t queue_depth, std::size_t actors)
      : seeks_(queue_depth, actors),
        transfers_(setting.disk.bytes_per_s > 0 ? from_seconds(bucket_s) : 0, actors),
        earned_(bursts(setting.disk) ? from_seconds(setting.disk.io_credits / setting.disk.iops)
                                     : 0),
        missing_(actors) {}

  // Reads `missing` items of the work's size.
  void start(Nanoseconds now, std::size_t actor, double missing, const ItemWork& work) {
    missing_[actor] = missing;
    seeks_.start(now, actor, from_seconds(work.seek_seconds() * missing));
  }

  [[nodiscard]] Nanoseconds next() const { return std::min(seeks_.next(), transfers_.next()); }

  // The actor whose read ends at `now`, or none: a seek was over and its transfer began.
  [[nodiscard]] std::size_t complete(Nanoseconds now, const ItemWork& work) {
    if (seeks_.next() != now) {
      return transfers_.complete(now);
    }
    const auto actor = seeks_.complete(now);
    const double missing = missing_[actor];
    const auto admitted = earned_.admit(now, from_seconds(work.earning_seconds() * missing));
    transfers_.start(admitted,
                     actor,
                     from_seconds(work.transfer_seconds() * missing),
                     from_seconds(work.device_seconds() * missing));
    return none;
  }

  // Of the limit, counted when a transfer comes.
  [[nodiscard]] double busy_seconds() const { return transfers_.busy_seconds(); }

 private:
  // What a limit of bandwidth or requests saves up: a cgroup counts in slices of a tenth of a
  // second (blk-throttle on disks that say they rotate, as virtual ones do); clouds are taken to do
  // likewise.
  static constexpr double bucket_s = 0.1;

  Station seeks_;
  TokenBucket transfers_;
  Allowance earned_;
  std::vector<double> missing_;  // by actor: items of its read
};

}  // namespace rightsize::simulate
