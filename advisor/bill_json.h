// A bill as documents hold it: its lines with exact decimals as text.
#pragma once

#include <boost/json/fwd.hpp>

#include "pricing/bill.h"

namespace rightsize {

[[nodiscard]] boost::json::array bill_to_json(const Bill& bill);

}  // namespace rightsize
