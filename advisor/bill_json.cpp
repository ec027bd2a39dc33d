#include "advisor/bill_json.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/recommendation.h"

namespace rightsize {

namespace json = boost::json;

namespace {

BillLine::Kind read_kind(const JsonPlace& place) {
  const auto word = place.text();
  const auto found = std::find(bill_line_kinds.begin(), bill_line_kinds.end(), word);
  if (found == bill_line_kinds.end()) {
    place.refuse("machine, reservation, discount, disk, storage or egress");
  }
  return static_cast<BillLine::Kind>(found - bill_line_kinds.begin());
}

}  // namespace

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

Bill bill_from_json(const JsonPlace& place, const std::string& currency) {
  Bill bill;
  bill.total = Money(0, currency);
  for (const auto& line : place.items()) {
    const auto in = currency_from_json(line["currency"], currency, "price");
    bill.lines.push_back({read_kind(line["kind"]),
                          line["what"].text(),
                          line["quantity"].text(),
                          line["unit_price"].money(in),
                          line["unit"].text(),
                          line["amount"].money(in)});
    const auto& added = bill.lines.back();
    if (added.kind != BillLine::Kind::discount && added.amount.nanos() < 0) {
      line["amount"].refuse("an amount that is not negative");
    }
    bill.total =
        bill.lines.size() == 1 ? bill.lines[0].amount : bill.total + bill.lines.back().amount;
  }
  return bill;
}

std::string currency_from_json(const JsonPlace& place,
                               const std::string& wanted,
                               const char* of_what) {
  auto code = place.currency();
  if (code != wanted) {
    place.refuse(fmt::format("{}, the currency of the {}", wanted, of_what));
  }
  return code;
}

}  // namespace rightsize
