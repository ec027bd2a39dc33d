// Classifiers of images, at another size of image than their papers' tests.
#pragma once

#include <string_view>

#include "kernels/network.h"

namespace rightsize {

// Whether ":size=PIXELS" may stand behind the name: a network of the table (network.h) that reads
// square images.
[[nodiscard]] bool takes_size(const NetworkInfo& info);

// The network named, "resnet50" or "resnet50:size=384": as its maker lays it out at that size, or,
// where the maker knows one alone, with the shapes that follow from its layers; a table of
// positions has as many rows as there are then. Throws NetworkError for a part that is no size, and
// where layers fit no other: a classifier that reads the features of all positions, windows that do
// not divide the image.
[[nodiscard]] Network at_asked_size(const NetworkInfo& info, std::string_view name);

}  // namespace rightsize
