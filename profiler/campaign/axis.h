// The values along one axis of a sweep.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "profiler/campaign/toml_errors.h"

namespace rightsize {

// A list, or a range in a string ("1:16:x2", units.h). Throws PlanError by `errors`.
[[nodiscard]] std::vector<std::unique_ptr<toml::node>> axis_values(std::string_view key,
                                                                   const toml::node& node,
                                                                   const TomlErrors& errors);

}  // namespace rightsize
