// Layers that a training leaves as they were pretrained.
#pragma once

#include <cstddef>

#include "kernels/network.h"

namespace rightsize {

// What programs leave as it was pretrained: torchvision's detectors all norms of the backbone, and
// of its layers the stem and the first stage (trainable_backbone_layers = 3), as MLPerf does. The
// engines here train all.
struct FrozenLayers {
  std::size_t end = 0;        // layers before this one do not learn
  std::size_t norms_end = 0;  // nor do norms before this one
};

[[nodiscard]] FrozenLayers frozen_layers(const Network& network);

}  // namespace rightsize
