#include "advisor/explain/cause_values.h"

#include "advisor/price_warnings.h"

namespace rightsize {

Cause price_cause(const Option& option) {
  const auto& money = option.price_per_hour;
  const bool said = option.own || has_assumed_price(option);
  return {"price",
          exact(money.approximate(),
                money.currency() + " per hour",
                said ? Source::assumed : Source::published),
          "",
          {},
          option.price_source + ", " + dated(option.price_as_of),
          false,
          {},
          money.decimal(),
          option.own ? "given" : ""};
}

}  // namespace rightsize
