// Fields of a run that do not go together, found before anything is measured.
#pragma once

#include <optional>
#include <string>

#include "kernels/workload.h"
#include "profiler/measure/run_spec.h"

namespace rightsize {

// What was expected and seen, naming the field to change; nullopt: they go together.
[[nodiscard]] std::optional<std::string> contradiction_in(const Workload& work);

// Likewise across the whole run: limits and the user's own program.
[[nodiscard]] std::optional<std::string> contradiction_in(const RunSpec& spec);

}  // namespace rightsize
