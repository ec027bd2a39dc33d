#include "kernels/picture_work.h"

#include "kernels/networks/vision_language/vision_language.h"

namespace rightsize {

PictureWork picture_work(const Network& network) {
  const auto* const info = vision_language_model(network.name);
  if (info == nullptr) {
    return {};
  }
  const auto pictures = pictures_of(network.name);
  const auto seen = seen_picture(info->tower, pictures.width, pictures.height);
  const auto features = word_features(*info);
  return {static_cast<double>(tower_parameters(info->tower, features)),
          pictures.count * tower_flops(info->tower, seen, features)};
}

}  // namespace rightsize
