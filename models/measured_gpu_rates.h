// What the records of a machine with a GPU say of the GPU alone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/model.h"
#include "profiler/record.h"

namespace rightsize {

// The GPU's own speed, where it ran on data that was always ready. Repeats count once: their
// geometric mean. Runs that are no rate of one whole GPU are counted in a warning.
[[nodiscard]] std::vector<MeasuredRate> gpu_rates_of(std::span<const Record> records,
                                                     std::vector<std::string>& warnings);

}  // namespace rightsize
