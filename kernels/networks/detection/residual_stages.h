// The stages of a residual network without its classifier, for what is built on them: He et al.,
// CVPR 2016, with the stride in the 3x3 convolutions, and Xie et al., CVPR 2017.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/networks/builder.h"

namespace rightsize::detection {

// ResNet-50 by default. A stage that keeps its size may widen its windows instead (Chen et al.,
// 2017): its first block still by the dilation of the stage before, as torchvision has it.
struct ResidualShape {
  std::vector<int> blocks{3, 4, 6, 3};
  std::array<std::int64_t, 4> strides{1, 2, 2, 2};
  std::array<std::int64_t, 4> dilations{1, 1, 1, 1};
  std::int64_t inner = 64;  // channels of the first stage's 3x3 convolutions
  std::int64_t groups = 1;
  bool deep_stem = false;  // three convolutions, and shortcuts that average where they halve (He et
                           // al., "Bag of Tricks", CVPR 2019, ResNet-D)
  bool basic = false;  // blocks of two 3x3 convolutions; of a deep stem each stage's first block
                       // has a convolution as its shortcut
};

inline const ResidualShape resnext50{.inner = 128, .groups = 32};

// The output of each stage.
[[nodiscard]] std::vector<int> residual_stages(NetworkBuilder& net, const ResidualShape& shape);

// A convolution without biases, its norm and ReLU.
[[nodiscard]] int conv_norm_relu(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, Window window);

// 3x3, of the same size as what it reads.
[[nodiscard]] Window three_by_three(std::int64_t stride = 1,
                                    std::int64_t dilation = 1,
                                    std::int64_t groups = 1);

}  // namespace rightsize::detection
