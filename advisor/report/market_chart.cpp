// What a machine costs a month by market, of the charts of a study.
#include <fmt/format.h>

#include "advisor/report/charts.h"
#include "advisor/report/study_charts.h"
#include "advisor/report/units.h"
#include "pricing/bill.h"
#include "pricing/place.h"

namespace rightsize::report {

std::optional<double> spot_break_even(const Study& study) {
  if (study.markets.size() != 2 || study.markets[0].currency != study.markets[1].currency) {
    return std::nullopt;
  }
  return study.markets[0].per_hour / study.markets[1].per_hour;
}

XyChart market_chart(const Recommendation& answer, const Study& study) {
  XyChart chart;
  chart.id = "chart-markets";
  chart.title = fmt::format("What {} costs a month, by market",
                            answer.chosen ? option_name(*answer.chosen) : "the chosen option");
  const auto break_even = spot_break_even(study);
  chart.description = fmt::format(
      "Machine hours of a month against their cost, each market in its cheapest region; a month "
      "has "
      "{} hours. {} Reserved and committed prices are not in the tables.",
      hours_per_month,
      break_even ? fmt::format("Spot stops paying when interruptions make the job {:.3g} times as "
                               "long.",
                               *break_even)
      : study.markets.size() == 1
          ? fmt::format("Sold {} only.", to_string(study.markets.front().market))
          : "");
  chart.x = {"hours used in the month", Scale::linear, {}, true};
  chart.y = {study.markets.empty() ? "cost" : "cost of the month, " + study.markets[0].currency,
             Scale::linear,
             {},
             true};
  chart.when_empty = "There is no chosen option to price.";
  for (const auto& price : study.markets) {
    const bool spot = price.market == Market::spot;
    Series line{std::string(to_string(price.market)) + ", " + region_name(price.region),
                spot ? "two" : "one",
                Mark::line,
                {},
                spot,
                {}};
    const double month = hours_per_month;
    line.points = {{0, 0, {}, {}, "", ""}, {month, month * price.per_hour, {}, {}, "", ""}};
    chart.series.push_back(std::move(line));
  }
  if (answer.chosen && !chart.series.empty()) {
    const auto& hours = answer.chosen->hours;
    chart.guides = {{true,
                     hours.value,
                     fmt::format("this job {} h", digits(hours.value)),
                     Range{hours.low, hours.high}}};
  }
  return chart;
}

}  // namespace rightsize::report
