#include "advisor/order_warnings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/fleet_warnings.h"
#include "advisor/full_name.h"
#include "advisor/judge/near_ties.h"
#include "advisor/judge/pair_chance.h"
#include "advisor/query/objective_words.h"

namespace rightsize {
namespace {

// Of a small fleet people rent what is expected to do, and look.
std::string first_try(const Query& query, const Option& likeliest) {
  const auto fewer = fewer_first(query, likeliest);
  return !fewer ? "measure one of each before you rent them all"
                : fmt::format(
                      "try {} x {} first, in time with {:.0f} %, and add a machine where "
                      "that shows it is not",
                      fewer->machines,
                      with_market(likeliest.instance, likeliest),
                      std::floor(100 * fewer->chance));
}

// A fleet is chosen by what it costs with machines enough for the wanted confidence. Another may
// need so many only to be sure, and be the likelier cheapest once its true speed is known.
void warn_of_likelier(Recommendation& answer) {
  if (!answer.query.serves() || answer.options.empty()) {
    return;
  }
  const auto likelier = [](const Option& a, const Option& b) {
    return a.p_cheapest < b.p_cheapest;
  };
  const auto& likeliest = *std::max_element(answer.options.begin(), answer.options.end(), likelier);
  const auto& chosen = answer.options.front();
  constexpr double telling = 0.1;
  if (likeliest.p_cheapest < chosen.p_cheapest + telling) {
    return;
  }
  answer.warnings.push_back(fmt::format(
      "{} is the {} with machines enough for {:g} % confidence; once fleets are cut or grown to "
      "their true speed {} is, with {:.0f} % against {:.0f} %: {}",
      with_market(chosen.instance, chosen),
      answer.query.objective == Objective{} ? "cheapest" : "best",
      100 * answer.query.confidence,
      with_market(likeliest.instance, likeliest),
      100 * likeliest.p_cheapest,
      100 * chosen.p_cheapest,
      first_try(answer.query, likeliest)));
}

// The bill of the expected time may stand just below a step, or the time may well be longer.
void warn_of_steps(Recommendation& answer) {
  if (answer.query.serves() || !(answer.query.objective == Objective{})) {
    return;
  }
  const auto& chosen = *answer.chosen;
  const auto near =
      std::find_if(answer.options.begin(), answer.options.end(), [&](const Option& option) {
        return wins_near_tie(answer.query, chosen, option);
      });
  if (near != answer.options.end()) {
    answer.warnings.push_back(
        fmt::format("{} costs {:.2g} % less and takes {:.2g} h in place of {:.2g}: {}",
                    with_market(near->instance, *near),
                    100 * (1 - near->score / chosen.score),
                    near->hours.value,
                    chosen.hours.value,
                    near_tie_words));
    return;
  }
  const auto likeliest = std::max_element(
      answer.options.begin(), answer.options.end(), [](const Option& a, const Option& b) {
        return a.p_cheapest < b.p_cheapest;
      });
  if (is_likelier(likeliest->p_cheapest) && likeliest->rank > 1) {
    answer.warnings.push_back(
        fmt::format("{} is the cheapest with {:.0f} %, and dearer by more where it is not: options "
                    "rank by what they typically cost, the geometric mean over the times that they "
                    "may take",
                    with_market(likeliest->instance, *likeliest),
                    100 * likeliest->p_cheapest));
    return;
  }
  const auto cheaper =
      std::find_if(answer.options.begin(), answer.options.end(), [&](const Option& option) {
        return option.satisfies && option.cost.value < chosen.cost.value * (1 - 1e-9);
      });
  if (cheaper != answer.options.end()) {
    answer.warnings.push_back(fmt::format(
        "{} costs {:.2f} {} for the expected time, less than the chosen one, but it may well take "
        "longer: options rank by what they typically cost, the geometric mean over the times that "
        "they may take",
        with_market(cheaper->instance, *cheaper),
        cheaper->cost.value,
        cheaper->cost.unit));
  }
}

}  // namespace

void warn_of_order(Recommendation& answer) {
  warn_of_likelier(answer);
  warn_of_steps(answer);
  if (!answer.ties.empty()) {
    answer.warnings.push_back(fmt::format("{} other option{} {}",
                                          answer.ties.size(),
                                          answer.ties.size() == 1 ? "" : "s",
                                          tie_words(answer.query.objective, "the chosen one")));
  }
}

}  // namespace rightsize
