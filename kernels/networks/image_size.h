// Classifiers of images, at another size of image than their papers' tests.
#pragma once

#include <string_view>

#include "kernels/network.h"

namespace rightsize {

// Whether ":size=PIXELS" may stand behind the name: a network of the table (network.h) that reads
// square images.
[[nodiscard]] bool takes_size(const NetworkInfo& info);

// The network named, "resnet50" or "resnet50:size=384", whose layers are `usual`'s with the shapes
// that follow; a table of positions has as many rows as there are then. Throws NetworkError for a
// part that is no size, and where layers fit no other: a classifier that reads the features of all
// positions, windows.
[[nodiscard]] Network at_asked_size(Network usual, std::string_view name);

}  // namespace rightsize
