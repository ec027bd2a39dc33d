// What makes a model_type's network its own: one row for each that read_causal knows.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/networks/causal.h"

namespace rightsize {

struct CausalFamily {
  std::string_view model_type;
  std::string_view title;
  // Where the file does not say.
  std::string_view activation;
  bool tied;
  std::int64_t context;
  // Into a config whose shape is read. Throws NetworkError naming the file and the field.
  void (*read)(const ConfigFile& file, CausalConfig& config);
};

[[nodiscard]] std::span<const CausalFamily> causal_families();

}  // namespace rightsize
