// Machines that a provider brokers and does not run: they stand with third parties.
#pragma once

#include <string_view>

namespace rightsize {

// RunPod's community cloud, as it and the tables name its machines ("1x_RTX4090_COMMUNITY"), beside
// its secure cloud; and all of Vast.ai's.
[[nodiscard]] inline bool is_of_third_party(std::string_view provider, std::string_view instance) {
  return (provider == "runpod" && instance.ends_with("_COMMUNITY")) || provider == "vast" ||
         provider == "vastai" || provider == "vast-ai";
}

}  // namespace rightsize
