// Networks that find objects in an image, each with a box and a class, and those that give every
// position of it a class. They are trained with one label for each position of what they make:
// which object a position answers for, if any, is settled when data is prepared, and so is what
// box; it is no part of the network. Nor is what is done with boxes after it (non-maximum
// suppression), which counts and compares on the host.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/network.h"

namespace rightsize {

// What is asked of a family: square images of `size` pixels a side.
struct DetectionAsked {
  std::string name;
  std::string title;
  int size = 0;
  int scale = 0;  // the place among the sizes of a family, 0: the smallest
};

struct DetectionInfo {
  std::string_view name;
  std::string_view title;
  std::string_view source;
  Network (*make)(const DetectionAsked& asked);
  int scale = 0;
  int size = 640;       // usual
  int side_of = 32;     // sizes are a multiple of it
  bool frozen = false;  // what is trained of it begins behind frozen_layers()
};

[[nodiscard]] std::span<const DetectionInfo> detection_networks();

// As it is listed, of its usual size.
[[nodiscard]] Network usual_image(const DetectionInfo& info);

// "yolov8n", or "yolov8n:size=1280"; nullopt: of another kind. Throws NetworkError for a part that
// is none or cannot be.
[[nodiscard]] std::optional<Network> make_detection(std::string_view name);

// Whose name it begins with, whatever the form behind it; nullptr: none.
[[nodiscard]] const DetectionInfo* detection_network(std::string_view name);
[[nodiscard]] bool is_detection(std::string_view name);

}  // namespace rightsize
