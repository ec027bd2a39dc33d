// What a language model sees pictures with: a tower of blocks over patches, and a projector to the
// features of its words. It runs once for each picture, before the prompt is read; what becomes of
// a picture is so many tokens of the prompt. As numbers alone: predicted, not run.
#pragma once

#include <cstdint>

namespace rightsize {

// How many patches and tokens a picture becomes.
enum class PictureRule {
  fixed,    // pictures are brought to `side` pixels a side, whatever they were
  rounded,  // sides to the nearest whole tokens, within `least` and `most` pixels in all: Wang et
            // al., "Qwen2-VL", 2024, section 2.1, as smart_resize() of qwen-vl-utils rounds
  by_rows,  // sides at most `side`, up to whole patches, and a token behind each row: Agrawal et
            // al., "Pixtral 12B", 2024, section 2.2
};

struct PictureTower {
  PictureRule rule = PictureRule::fixed;
  std::int64_t patch = 14;
  std::int64_t side = 0;
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::int64_t merge = 1;          // patches a side that become a token
  std::int64_t tokens_beside = 0;  // of each picture, that say where it begins and ends

  std::int64_t width = 0;
  std::int64_t depth = 0;       // blocks that are held
  std::int64_t last_block = 0;  // > 0: only so many of them are computed
  std::int64_t feed_forward = 0;
  bool gated = false;             // three matrices, not two
  bool biases = true;             // of the blocks' matrices
  std::int64_t norm_vectors = 2;  // scale and shift; 1: RMSNorm
  std::int64_t frames = 1;        // that a patch spans: a picture is shown so often
  std::int64_t seen = 0;          // > 0: patches that one attends to, but in so many blocks to all
  std::int64_t whole_blocks = 0;

  std::int64_t projector_in = 0;      // features of a token's patches, side by side or averaged
  std::int64_t projector_hidden = 0;  // 0: one matrix without biases
  std::int64_t projectors = 1;        // more: beside later blocks ("deepstack"), as large
  std::int64_t others = 0;            // parameters of no product: tables, norms at either end
};

struct SeenPicture {
  std::int64_t patches = 0;
  std::int64_t tokens = 0;  // of the prompt
};

// Of width x height pixels, both at least 1.
[[nodiscard]] SeenPicture seen_picture(const PictureTower& tower,
                                       std::int64_t width,
                                       std::int64_t height);

// With the projector, to `features` of a word.
[[nodiscard]] std::uint64_t tower_parameters(const PictureTower& tower, std::int64_t features);
// Of one picture: its products and attention, 2 a multiply-add.
[[nodiscard]] double tower_flops(const PictureTower& tower,
                                 const SeenPicture& picture,
                                 std::int64_t features);

}  // namespace rightsize
