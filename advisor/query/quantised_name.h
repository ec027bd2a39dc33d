// Names of checkpoints that say how their matrices were narrowed: "Qwen/Qwen2.5-72B-Instruct-AWQ"
// is qwen2.5-72b with weights of 4 bits, "RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic"
// llama-3.3-70b with FP8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/laws/decode_form.h"

namespace rightsize {

struct QuantisedName {
  std::string network;  // built in
  WeightFormat weights = WeightFormat::own;
};

// nullopt where the whole is a network's own name, or what is before the ending is none either.
[[nodiscard]] std::optional<QuantisedName> quantised_name(std::string_view said);

}  // namespace rightsize
