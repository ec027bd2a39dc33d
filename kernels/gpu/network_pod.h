// A network on its way over the border: into plain structs on the program's side and back into a
// Network on the plugin's. Free of CUDA.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/gpu/plugin_abi.h"
#include "kernels/network.h"

namespace rightsize::gpu {

// Owns what the plain struct points to; keep it while `view()` is in use.
class EncodedNetwork {
 public:
  // Throws EngineError when a name is too long for the border.
  explicit EncodedNetwork(const Network& network);

  [[nodiscard]] abi::Network view() const;

 private:
  abi::Network header_{};
  std::vector<abi::Layer> layers_;
  std::vector<std::int32_t> inputs_;
};

// Throws std::invalid_argument when an index points outside or forwards.
[[nodiscard]] Network decode(const abi::Network& network);

}  // namespace rightsize::gpu
