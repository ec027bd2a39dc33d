// One instance judged with what is supposed of it.
#pragma once

#include <optional>

#include "advisor/search.h"
#include "advisor/suppose/appraisal.h"
#include "advisor/suppose/what_if.h"

namespace rightsize {

// Of `result.supposition` and its queries, from the instance as it is `now`; nullopt with
// `result.reason` where it could not do the job so. Adds to `result.notes` what was assumed.
[[nodiscard]] std::optional<Appraisal> supposed_appraisal(WhatIf& result,
                                                          const Evidence& evidence,
                                                          const Appraisal& now);

}  // namespace rightsize
