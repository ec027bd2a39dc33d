#include "advisor/explain/market_terms.h"

#include <vector>

#include "advisor/explain/cause_values.h"

namespace rightsize {
namespace {

// Of the hours that are reserved or bought; `idle` is what the others cost.
Input share_used(const Query& query, const Money& idle, const Option& option) {
  if (query.utilisation_percent && !option.own) {
    return {"share used", *query.utilisation_percent / 100.0, "", "given"};
  }
  double machine = 0;
  for (const auto& line : option.bill.lines) {
    const bool power = option.own && machine > 0;  // the purchase comes first
    machine += line.kind == BillLine::Kind::machine && !power ? line.amount.approximate() : 0;
  }
  return {"share used", machine / (machine + idle.approximate()), "", "runs a month, given"};
}

}  // namespace

void add_market_terms(Cause& cost, const Query& query, const Option& option) {
  for (const auto& line : option.bill.lines) {
    const bool idle = line.kind == BillLine::Kind::reservation;
    if (!idle && line.kind != BillLine::Kind::discount) {
      continue;
    }
    cost.formula += !idle        ? " - the discount"
                    : option.own ? " + what is bought and idle"
                                 : " + what is reserved and idle";
    cost.parts.push_back(
        {line.what,
         exact(line.amount.approximate(),
               line.amount.currency(),
               option.own ? Source::assumed : Source::published),
         idle && option.own ? "purchase x hours x (1 / share used - 1)"
         : idle             ? "price x hours x (1 / share used - 1)"
                            : "price x hours x (what each part of the month is billed at - 1)",
         idle ? std::vector<Input>{share_used(query, line.amount, option)} : std::vector<Input>{},
         line.quantity,
         false,
         {},
         line.amount.decimal()});
  }
}

}  // namespace rightsize
