// Whether pictures can be as small as a data set's size has them: megabytes are often written for
// gigabytes.
#pragma once

#include <cstdint>
#include <string>

#include "advisor/candidate/network_facts.h"
#include "kernels/workload.h"

namespace rightsize {

// A sentence for a network that reads pictures, where `bytes` in all leave each of `items` less
// than a hundredth of what the network takes as pixels; "" else, and of data that nobody stores.
// `said_by`: "[data] bytes", "--bytes".
[[nodiscard]] std::string too_small_pictures(const NetworkFacts& facts,
                                             DataFormat format,
                                             std::uint64_t bytes,
                                             std::uint64_t items,
                                             const char* said_by);

}  // namespace rightsize
