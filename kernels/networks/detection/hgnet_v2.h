// PP-HGNetV2 without its classifier, which detectors are built on: as PaddleDetection's hgnet_v2.py
// and those after it have it. A block hands what each of its convolutions made to the one that
// joins them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/networks/builder.h"

namespace rightsize::detection {

struct HgStage {
  std::int64_t inner = 0;
  std::int64_t out = 0;
  int blocks = 1;
};

// The first two stages have 3x3 convolutions; the other two filter each channel by itself, 5x5,
// behind a matrix.
struct HgNet {
  std::int64_t stem_inner = 32;
  std::int64_t stem = 48;
  int layers = 6;  // of a block
  std::array<HgStage, 4> stages{};
};

inline constexpr HgNet hgnet_b0{.stem_inner = 16,
                                .stem = 16,
                                .layers = 3,
                                .stages = {{{16, 64}, {32, 256}, {64, 512, 2}, {128, 1024}}}};
inline constexpr HgNet hgnet_b2{.stem_inner = 24,
                                .stem = 32,
                                .layers = 4,
                                .stages = {{{32, 96}, {64, 384}, {128, 768, 3}, {256, 1536}}}};
inline constexpr HgNet hgnet_b4{.stem_inner = 32,
                                .stem = 48,
                                .layers = 6,
                                .stages = {{{48, 128}, {96, 512}, {192, 1024, 3}, {384, 2048}}}};
inline constexpr HgNet hgnet_b5{
    .stem_inner = 32,
    .stem = 64,
    .layers = 6,
    .stages = {{{64, 128}, {128, 512, 2}, {256, 1024, 5}, {512, 2048, 2}}}};

// The output of each stage, the first at a quarter of the image's side.
[[nodiscard]] std::vector<int> hg_stages(NetworkBuilder& net, const HgNet& shape);

}  // namespace rightsize::detection
