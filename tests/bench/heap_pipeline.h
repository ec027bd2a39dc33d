// The data path of models/simulate/pipeline.h on the textbook design, as a peer to time ours
// against: one std::priority_queue of events, the CPU pool's jobs in a std::multimap, completions
// announced anew whenever the pool changes and recognised as stale when they come up.
#pragma once

#include <cstdint>

#include "models/predict.h"
#include "models/setting.h"

namespace rightsize::bench {

struct HeapRun {
  double items_per_s = 0;
  std::uint64_t live_events = 0;  // without the stale ones
  std::uint64_t events = 0;
};

// `items` of them, no warm-up; `miss` is the share read from the disk.
[[nodiscard]] HeapRun heap_pipeline(const Laws& laws,
                                    const Setting& setting,
                                    std::uint64_t items,
                                    double miss);

}  // namespace rightsize::bench
