#include "advisor/explain/cause_values.h"

#include "advisor/price_warnings.h"

namespace rightsize {

Cause price_cause(const Option& option) {
  const auto& money = option.price_per_hour;
  const auto dated = option.price_as_of.starts_with("undated") ? "" : "as of ";
  return {"price",
          exact(money.approximate(),
                money.currency() + " per hour",
                has_assumed_price(option) ? Source::assumed : Source::published),
          "",
          {},
          option.price_source + ", " + dated + option.price_as_of,
          false,
          {},
          money.decimal()};
}

}  // namespace rightsize
