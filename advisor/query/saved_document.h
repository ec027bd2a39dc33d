// A file that a command of ours wrote, given where a job file is read.
#pragma once

#include <string>

namespace rightsize {

// Of a document such as `advise -o json` writes, at `path`: that it is no job file, and what takes
// it; "" of any other text.
[[nodiscard]] std::string saved_document(const std::string& text, const std::string& path);

}  // namespace rightsize
