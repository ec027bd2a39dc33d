// What makes each family of hybrid.h its own, by the fields of its config.json.
#pragma once

#include <span>
#include <string_view>

#include "kernels/networks/config_file.h"
#include "kernels/networks/hybrid.h"

namespace rightsize {

struct HybridFamily {
  std::string_view model_type;
  std::string_view title;
  // All but what every family has: width, vocabulary, context, norms and the head.
  void (*read)(const ConfigFile& file, HybridConfig& config);
};

[[nodiscard]] std::span<const HybridFamily> hybrid_families();

}  // namespace rightsize
