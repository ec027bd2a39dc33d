#include "advisor/idle_hours.h"

#include <algorithm>

#include <fmt/format.h>

#include "pricing/billing.h"
#include "pricing/offer.h"

namespace rightsize {

void assume_of_whole_months(Recommendation& answer) {
  const auto& query = answer.query;
  if (query.service_hours) {
    answer.assumptions.push_back(fmt::format(
        "the service runs {:g} of a month's {} h: what is rented by the hour or less is given back "
        "for the others, and to start it again takes and costs nothing; what is reserved, bought "
        "or rented by the month is paid for all of them",
        *query.service_hours,
        hours_per_month));
    return;
  }
  if (answer.chosen && committed_hours(answer.chosen->market) > 0) {
    answer.assumptions.push_back(
        query.runs_per_month && !query.utilisation_percent
            ? fmt::format("reserved: {:g} runs a month are all that the machines do; each bears "
                          "its share of the hours without work",
                          *query.runs_per_month)
            : fmt::format("reserved: work is found for {} % of the hours of the term; each job "
                          "bears its share of the rest{}",
                          query.utilisation_percent.value_or(100),
                          query.runs_per_month ? fmt::format(", whatever its own {:g} runs a month "
                                                             "take",
                                                             *query.runs_per_month)
                                               : ""));
  }
  const bool monthly =
      std::any_of(answer.options.begin(), answer.options.end(), [](const Option& option) {
        return option.price_per_month.has_value();
      });
  if (monthly && query.utilisation_percent && !query.serves()) {
    answer.assumptions.push_back(fmt::format(
        "rented by the month: --utilisation is of reservations and does not enter; {}",
        query.runs_per_month
            ? fmt::format("the {:g} runs a month share the months they take", *query.runs_per_month)
            : "a run alone pays the months it begins (--runs-per-month shares them)"));
  }
}

}  // namespace rightsize
