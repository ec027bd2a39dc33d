#include "kernels/networks/vision_language/picture_tower.h"

#include <algorithm>
#include <cmath>

namespace rightsize {
namespace {

// Matrices of a block: queries, keys, values, projection; feed-forward part.
std::int64_t block_products(const PictureTower& tower) {
  return 4 * tower.width * tower.width + (tower.gated ? 3 : 2) * tower.width * tower.feed_forward;
}

std::int64_t patch_products(const PictureTower& tower) {
  return 3 * tower.frames * tower.patch * tower.patch * tower.width;
}

std::int64_t projector_products(const PictureTower& tower, std::int64_t features) {
  return tower.projector_hidden > 0 ? tower.projector_hidden * (tower.projector_in + features)
                                    : tower.projector_in * features;
}

double real(std::int64_t number) {
  return static_cast<double>(number);
}

// To whole tokens a side; too many or too few pixels are scaled, as in the reference.
SeenPicture rounded(const PictureTower& tower, double width, double height) {
  const double token = real(tower.patch * tower.merge);
  const auto whole = [&](double pixels, double (*round)(double)) {
    return std::max(1.0, round(pixels / token));
  };
  double w = whole(width, std::nearbyint);
  double h = whole(height, std::nearbyint);
  const double pixels = w * h * token * token;
  if (pixels > real(tower.most)) {
    const double scale = std::sqrt(width * height / real(tower.most));
    w = whole(width / scale, std::floor);
    h = whole(height / scale, std::floor);
  } else if (pixels < real(tower.least)) {
    const double scale = std::sqrt(real(tower.least) / (width * height));
    w = whole(width * scale, std::ceil);
    h = whole(height * scale, std::ceil);
  }
  const auto tokens = static_cast<std::int64_t>(w * h);
  return {tokens * tower.merge * tower.merge, tokens + tower.tokens_beside};
}

SeenPicture by_rows(const PictureTower& tower, double width, double height) {
  const double scale = std::max({1.0, width / real(tower.side), height / real(tower.side)});
  const auto patches = [&](double pixels) {
    return static_cast<std::int64_t>(
        std::max(1.0, std::ceil(std::floor(pixels / scale) / real(tower.patch))));
  };
  const auto columns = patches(width);
  const auto rows = patches(height);
  return {rows * columns, rows * (columns + 1) + tower.tokens_beside};
}

}  // namespace

SeenPicture seen_picture(const PictureTower& tower, std::int64_t width, std::int64_t height) {
  switch (tower.rule) {
    case PictureRule::rounded:
      return rounded(tower, real(width), real(height));
    case PictureRule::by_rows:
      return by_rows(tower, real(width), real(height));
    case PictureRule::fixed:
      break;
  }
  const auto patches = tower.side / tower.patch;
  const auto tokens = patches / tower.merge;
  return {patches * patches, tokens * tokens + tower.tokens_beside};
}

std::uint64_t tower_parameters(const PictureTower& tower, std::int64_t features) {
  const auto vectors = (tower.gated ? 2 : 1) * tower.feed_forward + 5 * tower.width;
  const auto block =
      block_products(tower) + 2 * tower.norm_vectors * tower.width + (tower.biases ? vectors : 0);
  const auto projector = projector_products(tower, features) +
                         (tower.projector_hidden > 0 ? tower.projector_hidden + features : 0);
  return static_cast<std::uint64_t>(patch_products(tower) + tower.depth * block +
                                    tower.projectors * projector + tower.others);
}

double tower_flops(const PictureTower& tower, const SeenPicture& picture, std::int64_t features) {
  const double patches = real(picture.patches);
  const double tokens = real(picture.tokens - tower.tokens_beside);
  const double blocks = real(tower.last_block > 0 ? tower.last_block : tower.depth);
  const double whole = tower.seen > 0 ? real(tower.whole_blocks) : blocks;
  const double seen = whole * patches + (blocks - whole) * std::min(real(tower.seen), patches);
  return 2 * (patches * (real(patch_products(tower)) + blocks * real(block_products(tower)) +
                         2 * seen * real(tower.width)) +
              tokens * real(tower.projectors * projector_products(tower, features)));
}

}  // namespace rightsize
