#include "advisor/explain/cause_values.h"

#include "advisor/price_warnings.h"

namespace rightsize {

Cause price_cause(const Option& option) {
  const auto& money = option.price_per_hour;
  const bool said = option.own || has_assumed_price(option);
  Cause price{"price",
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
  if (const auto& month = option.price_per_month) {
    price.formula = "a month / 730 h";
    price.inputs.push_back({"a month",
                            month->approximate(),
                            month->currency(),
                            said ? "assumed" : "published",
                            month->decimal()});
  }
  return price;
}

}  // namespace rightsize
