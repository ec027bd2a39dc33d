// The disk: sequential and random, reading and writing, shallow and deep queues.
#pragma once

#include <vector>

#include "profiler/baseline/baseline.h"

namespace rightsize {

// Makes a file of options.file_bytes in options.folder (less when the disk has less than four times
// that free). Throws DirectFileError when there can be none.
[[nodiscard]] std::vector<BaselineFigure> measure_disk(const BaselineOptions& options);

}  // namespace rightsize
