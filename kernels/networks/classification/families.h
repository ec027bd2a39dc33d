// The makers behind the tables of classifiers.cpp and further_classifiers.cpp; `which` is the place
// among the sizes of a family. `size`: pixels a side, where windows are to be laid out anew for
// other images than the network's own; 0: its own.
#pragma once

#include "kernels/network.h"

namespace rightsize {

[[nodiscard]] Network make_regnet(int which);
[[nodiscard]] Network make_convnext(int which);
[[nodiscard]] Network make_resnet_variant(int which);
[[nodiscard]] Network make_swin(int which, int size);
[[nodiscard]] Network make_swin_v2(int which, int size);
[[nodiscard]] Network make_maxvit(int which, int size);
[[nodiscard]] Network make_mobilenet_v4(int which);
[[nodiscard]] Network make_vit_variant(int which);
[[nodiscard]] Network make_coatnet(int which);
[[nodiscard]] Network make_davit(int which, int size);
[[nodiscard]] Network make_hiera(int which, int size);
[[nodiscard]] Network make_tiny_vit(int which, int size);
[[nodiscard]] Network make_yolov8_cls(int which);
[[nodiscard]] Network make_yolo11_cls(int which);
[[nodiscard]] Network make_yolo26_cls(int which);

// Of one size of a family, as a row of those tables makes it.
template <Network (*make)(int), int which>
Network sized(int) {
  return make(which);
}

// Of one whose windows are laid out anew for a size asked for.
template <Network (*make)(int, int), int which>
Network windowed(int size) {
  return make(which, size);
}

}  // namespace rightsize
