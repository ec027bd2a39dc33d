#include "advisor/report/frontier.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "advisor/report/service_text.h"

namespace rightsize::report {

std::vector<std::size_t> frontier_of(const Recommendation& answer) {
  struct Place {
    double time;
    double cost;
    std::size_t index;
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    const auto& option = answer.options[i];
    const double time = answer.query.serves() ? waited_for(option).value : option.hours.value;
    if (std::isfinite(time)) {
      places.push_back({time, option.cost.value, i});
    }
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::tie(a.time, a.cost, a.index) < std::tie(b.time, b.cost, b.index);
  });
  std::vector<std::size_t> frontier;
  for (const auto& place : places) {
    if (frontier.empty() || place.cost < answer.options[frontier.back()].cost.value) {
      frontier.push_back(place.index);
    }
  }
  return frontier;
}

}  // namespace rightsize::report
