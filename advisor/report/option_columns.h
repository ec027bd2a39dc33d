// An option's columns for programs: one name and one way to write each, for every CSV.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/recommendation.h"

namespace rightsize::report {

struct OptionColumn {
  const char* name;
  std::string (*cell)(const Option&);
};

// All that the options of such a question have; empty for what never ends.
[[nodiscard]] std::vector<OptionColumn> columns_of(const Query& query);

// One of either by its name, which must be among them; empty for what such an option has not.
[[nodiscard]] std::string option_cell(const Option& option, std::string_view column);

[[nodiscard]] std::string plain_number(double value);  // six digits; "" for infinity

}  // namespace rightsize::report
