// A file of records that the command line names.
#pragma once

#include <string>

#include "profiler/store/foreign.h"

namespace rightsize::cli {

// Of JSON lines, another tool's document, or a store of rightsize's own. Throws UsageError where it
// cannot be read, or has a line that is no record.
[[nodiscard]] FileRecords read_record_file(const std::string& file);

}  // namespace rightsize::cli
