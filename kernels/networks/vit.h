// ViT as numbers, and its config.json: Dosovitskiy et al., "An Image Is Worth 16x16 Words", ICLR
// 2021.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/network.h"

namespace rightsize {

class ConfigFile;

struct VitConfig {
  std::string name;
  std::string title;
  std::int64_t patch = 16;  // pixels, which the image is cut into
  std::int64_t width = 0;
  int depth = 0;
  std::int64_t heads = 0;
  std::int64_t feed_forward = 0;
  std::int64_t image = 224;  // pixels
  std::int64_t classes = 1000;
};

[[nodiscard]] Network make_vit(const VitConfig& config);

// Whether the file is one's, by its model_type.
[[nodiscard]] bool is_vit(const ConfigFile& file);
// Of the class that transformers calls ViTForImageClassification. Throws NetworkError naming the
// file and the field.
[[nodiscard]] VitConfig read_vit(const ConfigFile& file, const std::string& name);

}  // namespace rightsize
