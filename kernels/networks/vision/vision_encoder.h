// Networks that make a vector of an image (CLIP's and SigLIP's towers that see, DINOv2 and 3):
// vision transformers without classes. Their names say how large images are where it is not usual.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/network.h"

namespace rightsize {

// What becomes the vector of an image.
enum class VisionHead {
  class_token,  // a learned position in front of the patches, and nothing behind its norm (DINOv2)
  projected,    // the same through a matrix without biases to `embedding` features (CLIP)
  attended,     // a learned query attends to all patches (Zhai et al., "Scaling Vision
                // Transformers", CVPR 2022, "MAP"), and a feed-forward part behind it (SigLIP)
};

struct VisionShape {
  std::int64_t patch = 16;
  std::int64_t width = 0;
  int depth = 0;
  std::int64_t heads = 0;
  std::int64_t feed_forward = 0;
  int trained_size = 224;  // pixels a side, of which the table of positions is
  std::int64_t embedding = 0;
  VisionHead head = VisionHead::class_token;
  Activation activation = Activation::gelu;
  bool gated = false;            // feed-forward parts as in Llama (DINOv2's giant)
  bool norm_in_front = false;    // of the patches and their positions (CLIP)
  bool patch_biases = true;      //
  int registers = 0;             // learned positions beside the class's (DINOv3)
  bool rotary = false;           // positions turn queries and keys; else they have a table
  bool scales_branches = false;  // by a learned factor for each channel, which no layer here is
  float epsilon = 1e-6F;
};

struct VisionInfo {
  std::string_view name;
  std::string_view title;
  std::string_view source;
  VisionShape shape;
  int size = 224;  // usual
};

[[nodiscard]] std::span<const VisionInfo> vision_encoders();

// Images of `size` pixels a side; what is left of a side beyond whole patches is not seen.
[[nodiscard]] Network make_vision_encoder(const std::string& name,
                                          const std::string& title,
                                          const VisionShape& shape,
                                          int size);
// As it is listed, of its usual size.
[[nodiscard]] Network usual_view(const VisionInfo& info);

// "clip-vit-l14", or "dinov2-l14:size=518"; nullopt: of another kind. Throws NetworkError for a
// part that is none or cannot be.
[[nodiscard]] std::optional<Network> make_vision_encoder(std::string_view name);

// Whose name it begins with, whatever the form behind it; nullptr: none.
[[nodiscard]] const VisionInfo* vision_encoder(std::string_view name);
[[nodiscard]] bool is_vision_encoder(std::string_view name);

}  // namespace rightsize
