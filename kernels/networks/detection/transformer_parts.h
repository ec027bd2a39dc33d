// The parts that detectors with transformers share: layers with their norms behind, as Carion et
// al., "End-to-End Object Detection with Transformers", ECCV 2020, have them.
#pragma once

#include <string>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize::detection {

constexpr std::int64_t detector_heads = 8;

// Attention of each position to all, added and normalised.
[[nodiscard]] int attended_norm(NetworkBuilder& net, const std::string& name, int from);

// A feed-forward part, added and normalised.
[[nodiscard]] int fed_norm(NetworkBuilder& net,
                           const std::string& name,
                           int from,
                           const FeedForward& part);

// Matrices with ReLU between them, `layers` of them, to `features`.
[[nodiscard]] int perceptron(NetworkBuilder& net,
                             const std::string& name,
                             int from,
                             std::int64_t hidden,
                             std::int64_t features,
                             int layers);

}  // namespace rightsize::detection
