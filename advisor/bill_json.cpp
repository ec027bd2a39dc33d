#include "advisor/bill_json.h"

#include <boost/json.hpp>

#include "advisor/recommendation.h"

namespace rightsize {

namespace json = boost::json;

json::array bill_to_json(const Bill& bill) {
  json::array lines;
  for (const auto& line : bill.lines) {
    lines.push_back(json::object{{"kind", bill_line_kinds[static_cast<std::size_t>(line.kind)]},
                                 {"what", line.what},
                                 {"quantity", line.quantity},
                                 {"unit_price", line.unit_price.decimal()},
                                 {"unit", line.unit},
                                 {"amount", line.amount.decimal()},
                                 {"currency", line.amount.currency()}});
  }
  return lines;
}

}  // namespace rightsize
