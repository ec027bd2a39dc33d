// Files that the user names: read whole, or refused with what is so; and why one is not written.
#pragma once

#include <string>

namespace rightsize {

// Why a file or folder of the user's cannot be opened, and what to do: of an errno.
[[nodiscard]] std::string why_unreadable(int error);

// Why one cannot be written, and what to do: of an errno, 0 where the system did not say.
[[nodiscard]] std::string why_unwritable(int error);

// Throws UsageError "path: there is no such file", "... may not be read here", "... is a folder".
void check_readable(const std::string& path);

// From here on `path` reads as `text` in this process, whatever lies there: of what came with a
// question in a file's place.
void give_text(const std::string& path, std::string text);

// The whole file. Throws as check_readable().
[[nodiscard]] std::string read_text_file(const std::string& path);

}  // namespace rightsize
