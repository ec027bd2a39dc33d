// Hiera: Ryali et al., "Hiera: A Hierarchical Vision Transformer without the Bells-and-Whistles",
// ICML 2023, what its classifier and SAM 2's image encoder are built on.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/networks/builder.h"

namespace rightsize {

// Each stage has half the side, twice the features and twice the heads of the one before.
struct HieraShape {
  std::int64_t width = 96;  // of the first stage
  std::int64_t heads = 1;
  std::array<int, 4> blocks{};
  std::array<std::int64_t, 4> windows{8, 4, 0, 0};  // a side, of each stage; 0: all positions
  std::array<int, 3> whole{-1, -1, -1};             // blocks that attend to all, counted from 0
  // Windows are cut and joined in every block, and attended to as images of their own; otherwise
  // they are cut once, and stand side by side, which PyTorch's fused attention does not take.
  bool cuts = false;
  bool widens = true;  // where sides are halved, shortcuts have a matrix
};

// Patches of 4 x 4 to a side of `image` / 4, as a sequence.
[[nodiscard]] int hiera_patches(NetworkBuilder& net, const HieraShape& shape);

// The output of each stage, as sequences; `from`: patches, with their positions.
[[nodiscard]] std::vector<int> hiera_stages(NetworkBuilder& net, const HieraShape& shape, int from);

}  // namespace rightsize
