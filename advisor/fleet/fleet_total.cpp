#include "advisor/fleet/fleet_total.h"

#include <cmath>
#include <cstdint>

namespace rightsize {
namespace {

void add(Estimate& sum, const Estimate& term, double times) {
  if (sum.unit.empty()) {
    sum = term;
    sum.value = sum.low = sum.high = 0;
  }
  sum.value += term.value * times;
  sum.low += term.low * times;
  sum.high += term.high * times;
  sum.source = weaker(sum.source, term.source);
}

}  // namespace

void add_to(FleetTotal& total, const Option& option, double times) {
  add(total.cost, option.cost, times);
  const auto& bill = option.bill.total;
  constexpr std::int64_t parts = 1'000'000;  // runs a month may be a fraction
  total.bills.try_emplace(bill.currency(), Money(0, bill.currency())).first->second +=
      bill.times(std::llround(times * parts), parts);
  add(total.machine_hours, option.hours, times * option.nodes);
}

void take_off(FleetTotal& total, double shared) {
  if (!(shared > 0)) {
    return;
  }
  const double share = shared / total.cost.value;  // of bills in several currencies, of each
  for (auto* end : {&total.cost.value, &total.cost.low, &total.cost.high}) {
    *end -= shared;
  }
  constexpr std::int64_t parts = 1'000'000'000;
  for (auto& [currency, bill] : total.bills) {
    bill = bill.times(std::llround((1 - share) * parts), parts);
  }
}

double times_in_plan(const Query& query, bool by_month) {
  return by_month && !query.serves() ? query.runs_per_month.value_or(1) : 1;
}

const Option* planned_option(const Recommendation& answer) {
  const auto& today = answer.current;
  const bool stays = today && today->current && !today->move;
  if (stays && today->fewer) {
    return &*today->fewer;
  }
  if (stays && (answer.chosen || today->current->satisfies)) {
    return &*today->current;
  }
  return answer.chosen ? &*answer.chosen : nullptr;
}

bool is_same_kind(const Option& a, const Option& b) {
  return a.provider == b.provider && a.instance == b.instance && a.cpu == b.cpu &&
         a.market == b.market && a.price_per_month.has_value() == b.price_per_month.has_value();
}

}  // namespace rightsize
