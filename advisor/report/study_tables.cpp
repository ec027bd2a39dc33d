#include "advisor/report/study_tables.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/report/study_charts.h"
#include "advisor/report/units.h"
#include "pricing/bill.h"

namespace rightsize::report {
namespace {

std::string flips_text(const Swing& swing) {
  std::vector<std::string> parts;
  for (const auto& flip : swing.flips) {
    parts.push_back(fmt::format("{} x{:.3g}: {}",
                                flip.factor < 1 ? "under" : "from",
                                flip.factor,
                                flip.taken.empty() ? "nothing" : flip.taken));
  }
  return parts.empty() ? "—" : fmt::format("{}", fmt::join(parts, "; "));
}

std::string rate(const Estimate& estimate) {
  return fmt::format(
      "~{} ({} … {})", digits(estimate.value), digits(estimate.low), digits(estimate.high));
}

}  // namespace

Table knee_table(const Study& study) {
  Table table({{"resource"},
               {"this option", Align::right},
               {"knee", Align::right},
               {"90% interval", Align::right},
               {"source"}});
  for (const auto& response : study.responses) {
    table.add({response.resource,
               digits(response.now) + " " + response.unit,
               "~" + digits(response.knee) + " " + response.unit,
               digits(response.knee_low) + " … " + digits(response.knee_high),
               response.points.empty()
                   ? "—"
                   : std::string(to_string(response.points.front().throughput.source))});
  }
  return table;
}

Table tornado_table(const Recommendation& answer, const Study& study) {
  Table table({{"input"},
               {"moved by", Align::right},
               {"range from"},
               {"cost at its low end", Align::right},
               {"at its high end", Align::right},
               {"the choice changes"}});
  for (const auto& swing : study.swings) {
    const auto& currency = answer.chosen ? answer.chosen->cost.unit : answer.query.currency;
    table.add({swing.input,
               fmt::format("x{:.2f} … x{:.2f}", swing.low, swing.high),
               swing.range,
               "~" + money(swing.cost_at_low, currency),
               "~" + money(swing.cost_at_high, currency),
               flips_text(swing)});
  }
  return table;
}

Table scaling_table(const Study& study) {
  const auto& steps = study.scaling;
  const bool one_split = std::all_of(
      steps.begin(), steps.end(), [](const ScalingStep& step) { return step.split.empty(); });
  Table table({{one_split ? "GPUs" : "GPUs, split", one_split ? Align::right : Align::left},
               {"of ideal", Align::right},
               {"90% interval", Align::right},
               {"throughput", Align::right},
               {"source"},
               {"cheapest machine sold"},
               {"per hour", Align::right},
               {"a million items", Align::right}});
  for (const auto& step : study.scaling) {
    const auto cost = cost_per_million(step);
    table.add({fmt::format("{}{}{}", step.gpus, step.split.empty() ? "" : ", ", step.split),
               percent(step.efficiency.value),
               percent(step.efficiency.low) + " … " + percent(step.efficiency.high),
               rate(step.throughput) + " " + step.throughput.unit,
               std::string(to_string(step.throughput.source)),
               step.machine.empty() ? "—" : step.machine,
               step.price_per_month  ? money(*step.price_per_month, step.currency) + " a month"
               : step.price_per_hour ? money(*step.price_per_hour, step.currency)
                                     : "—",
               cost ? "~" + fine_money(*cost, step.currency) : "—"});
  }
  return table;
}

Table market_table(const Study& study) {
  Table table({{"market"},
               {"region"},
               {"per hour", Align::right},
               {"a whole month", Align::right},
               {"as of"}});
  for (const auto& price : study.markets) {
    table.add({market_words(price),
               price.region.empty() ? "—" : price.region,
               money(price.per_hour, price.currency),
               money(price.per_hour * hours_per_month, price.currency),
               price.as_of.empty() ? "—" : price.as_of});
  }
  return table;
}

}  // namespace rightsize::report
