// What every network's list of layers has to be.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "kernels/network.h"

namespace rightsize::test {

// Checks that names are each their own, shapes are not empty and each layer reads what stands
// before it. How many layers are read by another, or were held to be read from the beginning.
inline std::size_t check_layer_order(const Network& network, std::set<int> read = {}) {
  CAPTURE(network.name);
  std::set<std::string> names;
  for (int i = 0; i < static_cast<int>(network.layers.size()); ++i) {
    const auto& layer = network.layers[static_cast<std::size_t>(i)];
    CHECK_MESSAGE(names.insert(layer.name).second, layer.name);
    CHECK(layer.out.elements() > 0);
    for (const int input : layer.inputs) {
      CHECK(input < i);
      read.insert(input);
    }
  }
  return read.size();
}

}  // namespace rightsize::test
