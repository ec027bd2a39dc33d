// What people call networks beside their names and titles.
#pragma once

#include <optional>
#include <string_view>

namespace rightsize {

// `wanted` in small letters and digits alone: "rn50" -> "resnet50"; nullopt: no such spelling.
[[nodiscard]] std::optional<std::string_view> network_spelt(std::string_view wanted);
// Of what makes a vector of an image alone, which are among the others.
[[nodiscard]] std::optional<std::string_view> vision_encoder_spelt(std::string_view wanted);
// Of networks of images, sounds and pictures that came later, likewise.
[[nodiscard]] std::optional<std::string_view> image_network_spelt(std::string_view wanted);
// Of detectors and segmenters, which are among these.
[[nodiscard]] std::optional<std::string_view> detector_spelt(std::string_view wanted);
// Of language models that write alone, likewise.
[[nodiscard]] std::optional<std::string_view> language_model_spelt(std::string_view wanted);

}  // namespace rightsize
