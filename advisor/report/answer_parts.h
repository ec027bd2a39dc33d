// What a page of several answers has of each of them.
#pragma once

#include <vector>

#include "advisor/report/html.h"
#include "advisor/report/named_answer.h"

namespace rightsize::report {

// Charts, bills, options, who was rejected, and where the rest is told.
void add_answer_parts(const std::vector<NamedAnswer>& answers, PageParts& parts);

}  // namespace rightsize::report
