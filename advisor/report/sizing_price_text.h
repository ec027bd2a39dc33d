// What the machine that size finds would cost, as people and programs read it.
#pragma once

#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "advisor/machine/sizing_price.h"
#include "advisor/report/style.h"

namespace rightsize::report {

[[nodiscard]] std::string sizing_price_text(const SizingPrice& price, const Style& style);

// As rows of needs_table(): what it costs, its interval, and which machine that is; for the whole
// job, for an hour of one whose epochs are not told, or for a month of a service's machines.
using Rows = std::vector<std::vector<std::string>>;
[[nodiscard]] Rows price_rows(const SizingPrice& price);

// The `price` of rightsize/size/1.
[[nodiscard]] boost::json::object sizing_price_to_json(const SizingPrice& price);

}  // namespace rightsize::report
