// How records are fitted, by fit and by validate alike.
#pragma once

#include <vector>

#include "models/fit.h"
#include "profiler/record.h"

namespace rightsize::cli {

// With what `doctor --bench` saw of the disk, where it was seen of the machine and the disk of all
// records.
[[nodiscard]] FitOptions fit_options_for(const std::vector<Record>& records);

}  // namespace rightsize::cli
