// Options as points of cost against time: those that no other beats in both are joined by a line,
// and named beside the chosen one and the machine of today.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "advisor/recommendation.h"
#include "advisor/report/chart.h"

namespace rightsize::report {

struct FrontierPlan {
  std::string beaten;                 // in the legend: "beaten in cost and time"
  std::string unbeaten;               // of the line: "frontier: nothing is cheaper and faster"
  std::vector<std::size_t> frontier;  // from the soonest to the cheapest, as tables number them
  // Where an option lies, without a label; nullopt: nowhere.
  std::optional<ChartPoint> (*place)(const Option& option) = nullptr;
};

// Draws the options of `answer` and the machine of today, if there is one, into `chart`.
void plot_options(const Recommendation& answer,
                  const std::optional<Option>& current,
                  const FrontierPlan& plan,
                  XyChart& chart);

// Where a budget is stated: the level beyond which nothing meets it.
[[nodiscard]] std::optional<Guide> budget_guide(const Query& query);

// Whether the option of that place in the answer is the one it takes.
[[nodiscard]] bool is_chosen(const Recommendation& answer, std::size_t index);

}  // namespace rightsize::report
