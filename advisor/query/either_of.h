// Several regular expressions as one that finds what any of them finds: --allow A --allow B.
#pragma once

#include <string>
#include <vector>

namespace rightsize {

// "" of none; one stays as it is written. `of` is the flag or key, for the complaint: throws
// UsageError where one of several is no regular expression by itself.
[[nodiscard]] std::string either_of(const std::vector<std::string>& patterns, const char* of);

// Back again, from what either_of() gave; none of "".
[[nodiscard]] std::vector<std::string> each_of(const std::string& either);

}  // namespace rightsize
