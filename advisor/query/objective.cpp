#include "advisor/query/objective.h"

#include <charconv>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "advisor/query/usage_error.h"

namespace rightsize {
namespace {

// "cost*0.7" or "0.7*cost"; a word alone weighs 1. False when it is neither.
bool add_term(const std::string& term, Objective& objective) {
  const auto star = term.find('*');
  std::string word = term.substr(0, star);
  std::string number = star == std::string::npos ? "1" : term.substr(star + 1);
  if (star != std::string::npos && (number == "cost" || number == "time")) {
    std::swap(word, number);
  }
  double weight = 0;
  const auto* end = number.data() + number.size();
  const auto parsed = std::from_chars(number.data(), end, weight);
  const bool usable = parsed.ec == std::errc{} && parsed.ptr == end && weight >= 0 &&
                      std::isfinite(weight) && (word == "cost" || word == "time");
  if (usable) {
    (word == "cost" ? objective.cost : objective.time) += weight;
  }
  return usable;
}

}  // namespace

double Objective::score(double cost_value, double hours) const {
  // The plain ones untouched by rounding: a search must rank by the very numbers it prints.
  return time == 0   ? cost_value
         : cost == 0 ? hours
                     : std::pow(cost_value, cost) * std::pow(hours, time);
}

Objective parse_objective(const std::string& text, const std::string& what) {
  std::string terms;
  for (const char c : text) {
    if (c != ' ') {
      terms += c;
    }
  }
  Objective objective{0, 0};
  std::istringstream in(terms);
  bool understood = !terms.empty() && terms.back() != '+';
  for (std::string term; understood && std::getline(in, term, '+');) {
    understood = add_term(term, objective);
  }
  const double sum = objective.cost + objective.time;
  if (!understood || !(sum > 0)) {
    throw UsageError(fmt::format(
        "{} = {}: expected cost, time or weights such as cost*0.7+time*0.3", what, text));
  }
  return {objective.cost / sum, objective.time / sum};
}

std::string to_string(const Objective& objective) {
  return objective.time == 0 ? "cost"
         : objective.cost == 0
             ? "time"
             : fmt::format("cost*{:.3g}+time*{:.3g}", objective.cost, objective.time);
}

std::string comparative(const Objective& objective) {
  return objective.time == 0   ? "cheaper"
         : objective.cost == 0 ? "faster"
                               : "better by " + to_string(objective);
}

}  // namespace rightsize
