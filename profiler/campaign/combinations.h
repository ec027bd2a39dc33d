// Fields of a run that do not go together, found before anything is measured.
#pragma once

#include <optional>
#include <string>

#include "kernels/workload.h"

namespace rightsize {

// What was expected and seen, naming the field to change; nullopt: they go together.
[[nodiscard]] std::optional<std::string> contradiction_in(const Workload& work);

}  // namespace rightsize
