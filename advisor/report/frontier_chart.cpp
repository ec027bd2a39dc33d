#include "advisor/report/frontier_chart.h"

#include <algorithm>
#include <string>
#include <utility>

#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

std::vector<Series> series_of(const Recommendation& answer, const FrontierPlan& plan) {
  Series others{plan.beaten, "muted", Mark::dots, Shape::circle, false, {}};
  Series best{"on the frontier", "frontier", Mark::dots, Shape::circle, false, {}};
  Series step{plan.unbeaten, "frontier", Mark::step, {}, false, {}};
  Series chosen{"chosen", "chosen", Mark::dots, Shape::diamond, false, {}};
  const auto& frontier = plan.frontier;
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    auto point = plan.place(answer.options[i]);
    if (!point) {
      continue;
    }
    const auto number = std::find(frontier.begin(), frontier.end(), i);
    const bool on_it = number != frontier.end();
    if (on_it || is_chosen(answer, i)) {
      point->label = answer.options[i].instance;
    }
    if (on_it) {
      point->number = std::to_string(number - frontier.begin() + 1);
    }
    auto& series = is_chosen(answer, i) ? chosen : on_it ? best : others;
    series.points.push_back(*std::move(point));
  }
  for (const auto index : frontier) {
    if (const auto point = plan.place(answer.options[index])) {
      step.points.push_back({point->x, point->y, {}, {}, "", ""});
    }
  }
  return {std::move(others), std::move(step), std::move(best), std::move(chosen)};
}

}  // namespace

void plot_options(const Recommendation& answer,
                  const std::optional<Option>& current,
                  const FrontierPlan& plan,
                  XyChart& chart) {
  chart.width = 760;
  chart.height = 420;
  chart.when_empty = "No option is left to draw: every offer was rejected, with reasons below.";
  if (!answer.options.empty()) {
    chart.series = series_of(answer, plan);
  }
  if (auto here = current ? plan.place(*current) : std::nullopt) {
    here->label = "you are here: " + current->instance;
    chart.series.push_back({"you are here", "four", Mark::dots, Shape::square, false, {*here}});
  }
}

std::optional<Guide> budget_guide(const Query& query) {
  if (!query.budget) {
    return std::nullopt;
  }
  const double amount = query.budget->approximate();
  return Guide{false, amount, "budget " + money(amount, query.currency), {}};
}

bool is_chosen(const Recommendation& answer, std::size_t index) {
  return answer.chosen.has_value() && index == 0;
}

}  // namespace rightsize::report
