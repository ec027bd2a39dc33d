// The blocks of YOLOv9 (Wang et al., ECCV 2024, GELAN); each returns the index of its last layer.
#pragma once

#include <string>

#include "kernels/networks/detection/yolo_blocks.h"

namespace rightsize::detection {

// Halves of `inner` channels, and what two parts in a row make of the second, joined (ELAN): of
// `blocks` bottlenecks each, or of convolutions alone.
[[nodiscard]] int elan(NetworkBuilder& net,
                       const std::string& name,
                       int from,
                       std::int64_t channels,
                       std::int64_t inner,
                       int blocks);

// A side half as long by a convolution of half of the channels and a pooling of the others.
[[nodiscard]] int halved_by_halves(NetworkBuilder& net,
                                   const std::string& name,
                                   int from,
                                   std::int64_t channels);

// Four poolings in a row of what the input became with `inner` channels, joined.
[[nodiscard]] int pooled_elan(NetworkBuilder& net,
                              const std::string& name,
                              int from,
                              std::int64_t channels,
                              std::int64_t inner);

}  // namespace rightsize::detection
