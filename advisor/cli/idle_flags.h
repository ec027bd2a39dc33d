// Flags that were given and change nothing: said, since who gives one counts on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/cli/command.h"
#include "advisor/query/query.h"

namespace rightsize::cli {

// A sentence for each, of advise's flags but `used`.
[[nodiscard]] std::vector<std::string> idle_flags(const Values& values,
                                                  const Query& query,
                                                  std::string_view used = "");

}  // namespace rightsize::cli
