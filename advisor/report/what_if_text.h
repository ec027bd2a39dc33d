// A WhatIf rendered: what it would change in one sentence, then both sides row by row.
#pragma once

#include <string>

#include "advisor/report/style.h"
#include "advisor/report/table.h"
#include "advisor/suppose/what_if.h"

namespace rightsize::report {

[[nodiscard]] std::string what_if_sentence(const WhatIf& what_if);
// Empty when the machine as supposed cannot do the job.
[[nodiscard]] Table what_if_table(const WhatIf& what_if);

[[nodiscard]] std::string what_if_text(const WhatIf& what_if, const Style& style);
[[nodiscard]] std::string what_if_markdown(const WhatIf& what_if);

}  // namespace rightsize::report
