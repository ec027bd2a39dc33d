#include "models/laws/joined_prompts.h"

#include <algorithm>
#include <cmath>

namespace rightsize {

double PromptCost::seconds(double prompts) const {
  const double unshared_s = std::max(0.0, 1 - prompts / engines) * attention_s;
  return prompts * reduce_s + std::max(prompts * products_s + unshared_s, experts_s);
}

double PromptCost::seconds_of_one_more(double prompts) const {
  const bool unshared = prompts < engines;
  const double products =
      prompts * products_s + (unshared ? 1 - prompts / engines : 0) * attention_s;
  const double more_s = products_s - (unshared ? attention_s / engines : 0);
  return reduce_s + (products > experts_s ? more_s : 0);
}

JoinedPrompts joined_prompts(const PromptCost& cost, double per_s, double step_s) {
  const double none_after_none = std::exp(-per_s * step_s);
  double with_s = step_s + cost.seconds(1);  // an iteration with prompts
  double without = 0;                        // the share of iterations that have none
  double prompts = 1;                        // of those that have some
  double more_s = 0;
  constexpr int most_steps = 20;  // of Newton's; pieces of a line take few
  for (int i = 0; i < most_steps; ++i) {
    const double none_after_some = std::exp(-per_s * with_s);
    without = none_after_some / (1 - none_after_none + none_after_some);
    const double period_s = without * step_s + (1 - without) * with_s;
    prompts = std::max(1.0, per_s * period_s / (1 - without));
    more_s = cost.seconds_of_one_more(prompts);
    const double off_s = step_s + cost.seconds(prompts) - with_s;
    with_s += off_s / (1 - per_s * more_s);
    if (std::abs(off_s) < 1e-6 * with_s) {
      break;
    }
  }
  // Prompts of an iteration that has some, as a Poisson variable that is not 0 (in the mean
  // `prompts`); an iteration hands on what one more prompt adds to it.
  const double chance = -std::log(without);
  const double spread = std::max(0.0, prompts * (1 + chance - prompts)) * more_s * more_s;
  const double apart_s = with_s - step_s;
  const double handed_on = per_s * more_s;
  return {.period_s = without * step_s + (1 - without) * with_s,
          .variance =
              (1 - without) * (spread + without * apart_s * apart_s) / (1 - handed_on * handed_on),
          .more_s = more_s};
}

}  // namespace rightsize
