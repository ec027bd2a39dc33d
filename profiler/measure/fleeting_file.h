// Files that may vanish while they are read: those of a process that is ending, those that another
// program writes.
#pragma once

#include <string>

namespace rightsize {

// What can be read of it; empty when there is nothing (more). Never throws: a stream does, when the
// process behind /proc/<pid>/io ends between open and read.
[[nodiscard]] std::string readable_text(const std::string& path);

}  // namespace rightsize
