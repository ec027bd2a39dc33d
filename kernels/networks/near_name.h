// Which network a name that is none may have been meant for.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "kernels/network.h"

namespace rightsize {

// Of what is behind the last '/', in any case: the network spelt nearly so, with a slip in three
// letters, three in all, and none in a digit that it has; or the one whose words are in it in their
// order, as llama-8b's are in "meta-llama/Llama-3.1-8B". "" where there is none: "opt-175b"
// is another network than opt-125m.
[[nodiscard]] std::string_view near_network(std::string_view name,
                                            std::span<const NetworkTitle> networks);

// Those whose names begin with its letters: llama-8b and its sisters for "llama-13b", yolov8n and
// yolo11n with theirs for "yolo", and of these yolov8n's alone for "yolov8". tinyllama-1.1b is none
// of "tiny_vit".
[[nodiscard]] std::vector<std::string_view> networks_of_family(
    std::string_view name, std::span<const NetworkTitle> networks);

// What does as much work as a network that people ask for and none here is; "" where nothing is
// known of it.
[[nodiscard]] std::string_view nearest_in_work(std::string_view name);

}  // namespace rightsize
