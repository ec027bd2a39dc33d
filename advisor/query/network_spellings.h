// What people call networks beside their names and titles.
#pragma once

#include <optional>
#include <string_view>

namespace rightsize {

// `wanted` in small letters and digits alone: "rn50" -> "resnet50"; nullopt: no such spelling.
[[nodiscard]] std::optional<std::string_view> network_spelt(std::string_view wanted);
// Of language models that write alone, which are among the others.
[[nodiscard]] std::optional<std::string_view> language_model_spelt(std::string_view wanted);

}  // namespace rightsize
