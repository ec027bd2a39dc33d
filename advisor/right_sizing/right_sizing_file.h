// The machine of today in a saved answer, read back as to_json() writes it under "current".
#pragma once

#include <functional>

#include "advisor/json_place.h"
#include "advisor/recommendation.h"

namespace rightsize {

// `read_option`: of what stands in options[], and without a rank where it is none of them. Throws
// UsageError naming the field.
[[nodiscard]] RightSizing read_right_sizing(
    const JsonPlace& place, const std::function<Option(const JsonPlace&)>& read_option);

}  // namespace rightsize
