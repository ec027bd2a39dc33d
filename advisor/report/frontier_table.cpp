#include "advisor/report/frontier_table.h"

#include <string>
#include <vector>

#include "advisor/report/charts.h"
#include "advisor/report/frontier.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "pricing/place.h"

namespace rightsize::report {

Table frontier_table(const Recommendation& answer) {
  const auto& options = answer.options;
  const bool serves = answer.query.serves();
  Table table({{"no.", Align::right},
               {"option"},
               {"region"},
               {"GPUs"},
               {serves ? "99% within" : "time", Align::right},
               {serves ? "a month" : "cost", Align::right}});
  const auto frontier = frontier_of(answer);
  if (frontier.size() < 2) {
    return table;
  }
  for (std::size_t i = 0; i < frontier.size(); ++i) {
    const auto& option = options[frontier[i]];
    const auto gpus = option.gpus * option.nodes;
    table.add(
        {std::to_string(i + 1),
         option_name(option),
         region_name(option.region),
         option.gpu.empty() ? "none" : digits(gpus) + " x " + option.gpu,
         serves ? "~" + latency(waited_for(option).value) : "~" + digits(option.hours.value) + " h",
         "~" + money(option.cost.value, option.cost.unit)});
  }
  return table;
}

}  // namespace rightsize::report
