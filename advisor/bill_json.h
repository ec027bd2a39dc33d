// A bill as documents hold it: its lines with exact decimals as text; and read back.
#pragma once

#include <string>

#include <boost/json/fwd.hpp>

#include "advisor/json_place.h"
#include "pricing/bill.h"

namespace rightsize {

[[nodiscard]] boost::json::array bill_to_json(const Bill& bill);

// All of whose lines are in `currency`. Throws as JsonPlace does.
[[nodiscard]] Bill bill_from_json(const JsonPlace& place, const std::string& currency);

// The currency that stands there, which is to be that `of_what`: sums in two would be added up, and
// compared, as if they were one. Throws as JsonPlace does.
[[nodiscard]] std::string currency_from_json(const JsonPlace& place,
                                             const std::string& wanted,
                                             const char* of_what);

}  // namespace rightsize
