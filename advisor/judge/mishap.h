// How a fleet that was held to be in time comes late: its machines are slower than expected, and
// the law of its queue falls short of what callers wait. Both errors are normal in the logarithm
// and independent; of their combinations that lie `deviations` standard deviations off, two are
// looked at: slower machines alone, and both in proportion. Where waiting grows as the times do the
// second is the nearest that is late, where it grows far faster (near saturation) the first is;
// between the two the smaller of their chances is within a twentieth of the exact one (first-order
// reliability: Hasofer & Lind, J. Eng. Mech. 100, 1974).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/normal_distribution.h"
#include "models/crossing.h"

namespace rightsize {

struct Mishap {
  double time_factor = 1;     // everything takes so many times as long
  double law_deviations = 0;  // the law is short by so many of its own standard deviations
};

// Bad luck, in standard deviations, that is not exceeded with this probability.
[[nodiscard]] double deviations_at(double confidence);
inline constexpr double worst_luck = 6;  // next to none is worse

// `law_log_sd`: the law's at its worst, for the proportion. Below 0 it is good luck.
[[nodiscard]] inline std::array<Mishap, 2> mishaps(double deviations,
                                                   double time_log_sd,
                                                   double law_log_sd) {
  const double both = std::hypot(time_log_sd, law_log_sd);
  const double times = both > 0 ? time_log_sd / both : 1;
  const double law = both > 0 ? law_log_sd / both : 0;
  return {Mishap{std::exp(deviations * time_log_sd), 0},
          Mishap{std::exp(deviations * times * time_log_sd), deviations * law}};
}

// Of what holds in each of them: bad luck has to be borne in both, of good luck either will do.
template <typename Holds>
[[nodiscard]] bool borne(const std::array<Mishap, 2>& mishaps, double deviations, Holds&& holds) {
  return deviations >= 0 ? std::all_of(mishaps.begin(), mishaps.end(), holds)
                         : std::any_of(mishaps.begin(), mishaps.end(), holds);
}

// Likewise of machines needed, where 0 is none that will do.
template <typename Needed>
[[nodiscard]] int needed_in(const std::array<Mishap, 2>& mishaps,
                            double deviations,
                            Needed&& needed) {
  const int first = needed(mishaps[0]);
  const int second = needed(mishaps[1]);
  if (deviations >= 0) {
    return first == 0 || second == 0 ? 0 : std::max(first, second);
  }
  return first == 0 || second == 0 ? std::max(first, second) : std::min(first, second);
}

// The same, where a look at one number of machines, `enough(mishap, machines)`, is cheaper than a
// search: mostly the second mishap asks for as many as the first.
template <typename Needed, typename Enough>
[[nodiscard]] int needed_in(const std::array<Mishap, 2>& mishaps,
                            double deviations,
                            Needed&& needed,
                            Enough&& enough) {
  const int first = needed(mishaps[0]);
  const bool settled = deviations >= 0
                           ? first == 0 || enough(mishaps[1], first)
                           : first == 1 || (first > 1 && !enough(mishaps[1], first - 1));
  return settled ? first : needed_in(mishaps, deviations, [&](const Mishap& mishap) {
    return &mishap == &mishaps[0] ? first : needed(mishap);
  });
}

// And of the largest load.
template <typename Most>
[[nodiscard]] double most_in(const std::array<Mishap, 2>& mishaps, double deviations, Most&& most) {
  const double first = most(mishaps[0]);
  const double second = most(mishaps[1]);
  return deviations >= 0 ? std::min(first, second) : std::max(first, second);
}

// The chance that so much bad luck is not exceeded as `holds(deviations)` bears; 0 where not even
// the best of luck helps.
template <typename Holds>
[[nodiscard]] double chance_borne(Holds&& holds) {
  constexpr int halvings = 16;
  double low = -worst_luck;
  double high = worst_luck;
  if (!holds(low)) {
    return 0;
  }
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return normal_cdf(low);
}

// The same where it is known how far from being late it is: `lateness(mishap)`, rising with bad
// luck, late above 0; `mishaps_at(deviations)` are those that are looked at. `borne`: known to be,
// or -worst_luck.
template <typename MishapsAt, typename Lateness>
[[nodiscard]] double chance_in_time(double borne, MishapsAt&& mishaps_at, Lateness&& lateness) {
  const auto late = [&](std::size_t which) {
    return [&, which](double deviations) { return lateness(mishaps_at(deviations)[which]); };
  };
  constexpr double precision = 2e-4;
  const double first = last_not_above(late(0), borne, worst_luck, precision);
  // Without luck of either kind they are one: both end on the same side of it.
  const double till = first >= 0 ? last_not_above(late(1), std::max(0.0, borne), first, precision)
                                 : last_not_above(late(1), first, 0, precision);
  return till <= -worst_luck ? 0 : normal_cdf(till);
}

}  // namespace rightsize
