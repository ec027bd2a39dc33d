// What the spellings of one name have in common.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// Letters and digits in lower case: "GTX-1080 Ti" and "gtx 1080ti" are the same.
[[nodiscard]] std::string bare(std::string_view text);

}  // namespace rightsize
