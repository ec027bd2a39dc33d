// Attention to windows of an image whose scores have learned biases of distance (Liu et al., "Swin
// Transformer", ICCV 2021).
#pragma once

#include <string>

#include "kernels/networks/transformer_block.h"

namespace rightsize {

// Attention of a position to `seen` others, its own among them, with the passes over memory that
// bring windows together before and take them apart after: `copies` of all features each time, two
// where windows are shifted. They are here a copy of channels in another order, which moves as many
// bytes; those before count twice, as behind a norm features have 32 bits under autocast. `seen`
// positions of a window stand in a row; an even number is taken as one more, which sees half as
// many to either side. The biases have no layer; where positions are no more than `seen`, all are
// seen.
struct WindowShape {
  std::int64_t heads = 1;
  std::int64_t seen = 49;
  int copies = 1;
  bool by_angle = false;    // queries and keys are normalised (Swin V2)
  bool written = true;      // scores are written: they have biases by distance, or PyTorch's fused
                            // attention does not take windows as they lie
  std::int64_t filled = 0;  // positions that whole windows have, where they are more than the image
                            // has: made, attended to and taken off again
};

// What tells the laws of models/ that scores of a window are not written: positions that turn,
// which come without biases. That this is a little arithmetic more (less than 1 % of the layer's)
// is borne.
inline constexpr double unwritten_base = 100;

[[nodiscard]] int window_attention(NetworkBuilder& net,
                                   const std::string& name,
                                   int from,
                                   const WindowShape& shape);

// Positions of as many whole windows of `window` a side as cover an image of `side`: 98 x 98 for 96
// and windows of 7.
[[nodiscard]] std::int64_t filled_positions(std::int64_t side, std::int64_t window);

// The side that a maker is asked for: `size`, or where that is 0 the network's own. Throws
// NetworkError, with the nearest ones, where it is no multiple of `step`.
[[nodiscard]] std::int64_t asked_side(const char* name,
                                      int size,
                                      std::int64_t usual,
                                      std::int64_t step = 1);

// Rows of the biases' tables, one for each distance of a square window, of which each head has one:
// 169 of a window of 7 x 7.
[[nodiscard]] constexpr std::int64_t distances_of(std::int64_t side) {
  return (2 * side - 1) * (2 * side - 1);
}

}  // namespace rightsize
