// The makers behind the table of registry.cpp, one file per family.
#pragma once

#include "kernels/network.h"

namespace rightsize {

[[nodiscard]] Network make_alexnet();

[[nodiscard]] Network make_resnet18();
[[nodiscard]] Network make_resnet34();
[[nodiscard]] Network make_resnet50();
[[nodiscard]] Network make_resnet101();
[[nodiscard]] Network make_resnet152();

[[nodiscard]] Network make_vgg16();

}  // namespace rightsize
