#include "models/laws/joined_prompts.h"

#include <algorithm>
#include <cmath>

#include <boost/math/tools/toms748_solve.hpp>

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

namespace {

// Iterations in turn, if those with prompts last `with_s` in the mean.
struct Turns {
  Turns(double per_s, double step_s, double with_s) {
    const double none_after_none = std::exp(-per_s * step_s);
    const double none_after_some = std::exp(-per_s * with_s);
    const double turned = 1 - none_after_none + none_after_some;
    without = none_after_some / turned;
    chance = per_s * with_s + std::log(turned);  // also where nothing is left of `without`
    period_s = without * step_s + (1 - without) * with_s;
    prompts = std::max(1.0, per_s * period_s / (1 - without));
  }

  double without = 0;  // the share that has no prompts
  double chance = 0;   // -ln of it
  double period_s = 0;
  double prompts = 1;  // of those that have some
};

// How long those with prompts last that feed each other so.
double fed_seconds(const PromptCost& cost, double per_s, double step_s) {
  const auto off = [&](double with_s) {
    return step_s + cost.seconds(Turns(per_s, step_s, with_s).prompts) - with_s;
  };
  const double least = step_s + cost.seconds(1);
  double most = 2 * least;
  for (int i = 0; i < 60 && off(most) > 0; ++i) {
    most *= 2;
  }
  if (!(off(least) > 0) || off(most) > 0) {
    return off(most) > 0 ? most : least;
  }
  boost::uintmax_t steps = 60;
  constexpr int bits = 20;
  const auto found = boost::math::tools::toms748_solve(
      off, least, most, boost::math::tools::eps_tolerance<double>(bits), steps);
  return (found.first + found.second) / 2;
}

}  // namespace

JoinedPrompts joined_prompts(const PromptCost& cost, double per_s, double step_s, double variance) {
  const double with_s = fed_seconds(cost, per_s, step_s);
  const Turns turns(per_s, step_s, with_s);
  const double more_s = cost.seconds_of_one_more(turns.prompts);
  // Prompts of an iteration that has some, as a Poisson variable that is not 0 (in the mean
  // `prompts`); an iteration hands on what one more prompt adds to it.
  const double spread = (std::max(0.0, turns.prompts * (1 + turns.chance - turns.prompts)) +
                         turns.prompts * variance) *
                        more_s * more_s;
  const double apart_s = with_s - step_s;
  const double handed_on = per_s * more_s;
  return {.period_s = turns.period_s,
          .variance = (1 - turns.without) * (spread + turns.without * apart_s * apart_s) /
                      (1 - handed_on * handed_on),
          .more_s = more_s};
}

}  // namespace rightsize
