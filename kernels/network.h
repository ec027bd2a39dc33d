// A network as data: layers with shapes in topological order. Parameters, FLOPs, bytes and memory
// are pure functions of it (work.h); an Engine runs it (engine.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/layer.h"

namespace rightsize {

struct Network {
  std::string name;   // as the user types it: "resnet50"
  std::string title;  // as people write it: "ResNet-50"
  FeatureShape input;
  int classes = 0;
  std::vector<Layer> layers;  // layers[0] is the input, the last one softmax_loss
};

// One row of the visible table of built-in networks (networks/registry.cpp).
struct NetworkInfo {
  std::string_view name;
  std::string_view title;
  std::string_view source;  // the paper the shapes come from
  Network (*make)();
};

[[nodiscard]] std::span<const NetworkInfo> builtin_networks();

// Throws UnknownNetwork, whose message lists the nearest name ("did you mean").
[[nodiscard]] Network make_network(std::string_view name);

}  // namespace rightsize
