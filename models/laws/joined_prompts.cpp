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

// How many prompts an iteration has that has some: three numbers, as likely, that have their mean
// and variance, and of few prompts the mean the less likely, the nearer 1 is, which is the least.
struct Counts {
  Counts(double mean, double variance) : usual(mean) {
    const double reach = std::sqrt(1.5 * variance);
    const double below = std::min(mean - 1, reach);
    const double usually = reach > 0 ? below / reach / 3 : 1;
    const double above = below > 0 ? variance / ((1 - usually) * below) : 0;
    few = mean - below;
    many = mean + above;
    chance_of_many = above > 0 ? (1 - usually) * below / (below + above) : 0;
    chance_of_few = above > 0 ? (1 - usually) * above / (below + above) : 0;
  }

  double few = 1;
  double usual = 1;
  double many = 1;
  double chance_of_few = 0;
  double chance_of_many = 0;
};

// Iterations in turn, if those with prompts last `with_s` in the mean.
struct Turns {
  Turns(double per_s, double step_s, double with_s) {
    const double none_after_none = std::exp(-per_s * step_s);
    const double none_after_some = std::exp(-per_s * with_s);
    without = none_after_some / (1 - none_after_none + none_after_some);
    period_s = without * step_s + (1 - without) * with_s;
    prompts = std::max(1.0, per_s * period_s / (1 - without));
  }

  double without = 0;  // the share that has no prompts
  double period_s = 0;
  double prompts = 1;  // of those that have some

  // As Poisson variables that are not 0; what iterations hand on to the next is not counted.
  [[nodiscard]] Counts counts() const {
    return {prompts, std::max(0.0, prompts * (1 - prompts * without))};
  }
};

struct Computed {
  Computed(const PromptCost& cost, const Counts& counts) {
    const double usual_s = cost.seconds(counts.usual);
    const double less_s = cost.seconds(counts.few) - usual_s;
    const double longer_s = cost.seconds(counts.many) - usual_s;
    const double off_s = counts.chance_of_few * less_s + counts.chance_of_many * longer_s;
    mean_s = usual_s + off_s;
    variance = counts.chance_of_few * less_s * less_s +
               counts.chance_of_many * longer_s * longer_s - off_s * off_s;
    more_s = counts.many > counts.few ? (longer_s - less_s) / (counts.many - counts.few)
                                      : cost.seconds_of_one_more(counts.usual);
  }

  double mean_s = 0;
  double variance = 0;
  double more_s = 0;  // of one more
};

// How long those with prompts last that feed each other so.
double fed_seconds(const PromptCost& cost, double per_s, double step_s) {
  const auto off = [&](double with_s) {
    return step_s + Computed(cost, Turns(per_s, step_s, with_s).counts()).mean_s - with_s;
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

// Prompts of an iteration are Poisson's of the one before it, a T: of a variance of
// a E(T) + a^2 Var(T). The first is that of those that have some and what is between them and those
// without; the second hands on how iterations vary. Exact where prompts share nothing.
JoinedPrompts joined_prompts(const PromptCost& cost, double per_s, double step_s, double variance) {
  const double with_s = fed_seconds(cost, per_s, step_s);
  const Turns turns(per_s, step_s, with_s);
  const Computed computed(cost, turns.counts());
  const double more_s = computed.more_s;
  const double own = computed.variance + turns.prompts * variance * more_s * more_s;
  const double apart_s = with_s - step_s;
  const double handed_on = per_s * more_s;
  return {.period_s = turns.period_s,
          .variance = (1 - turns.without) * (own + turns.without * apart_s * apart_s) /
                      (1 - handed_on * handed_on),
          .more_s = more_s};
}

}  // namespace rightsize
