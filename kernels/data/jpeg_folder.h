// A folder of JPEG files: one sub-folder per class; the classes in sorted order are labels 0, 1,
// ...
#pragma once

#include <memory>
#include <string>

#include "kernels/data/dataset.h"

namespace rightsize {

// Lists the folder once (files ending in .jpg, .jpeg, .JPG or .JPEG, sorted). Throws DataError.
[[nodiscard]] std::unique_ptr<Dataset> open_jpeg_folder(const std::string& folder);

// Whether a sub-folder has a JPEG file; false too of what is no folder or cannot be listed.
[[nodiscard]] bool is_jpeg_folder(const std::string& folder);

}  // namespace rightsize
