#include "advisor/explain/market_terms.h"

#include <vector>

#include "advisor/explain/cause_values.h"

namespace rightsize {

void add_market_terms(Cause& cost, const Query& query, const Option& option) {
  // Only who said less than all of it sees the line at all.
  const Input share_used{"share used", query.utilisation_percent / 100.0, "", "given"};
  for (const auto& line : option.bill.lines) {
    const bool idle = line.kind == BillLine::Kind::reservation;
    if (!idle && line.kind != BillLine::Kind::discount) {
      continue;
    }
    cost.formula += idle ? " + what is reserved and idle" : " - the discount";
    cost.parts.push_back(
        {line.what,
         exact(line.amount.approximate(), line.amount.currency(), Source::published),
         idle ? "price x hours x (1 / share used - 1)"
              : "price x hours x (what each part of the month is billed at - 1)",
         idle ? std::vector<Input>{share_used} : std::vector<Input>{},
         line.quantity,
         false,
         {},
         line.amount.decimal()});
  }
}

}  // namespace rightsize
