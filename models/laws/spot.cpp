#include "models/laws/spot.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/adapter_work.h"
#include "kernels/work.h"
#include "models/laws/spot_interval.h"
#include "models/laws/spot_moments.h"

namespace rightsize {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A quantile of a run: `none` of all take `least`, the others more, by a gamma of these moments.
double quantile(double share, double none, double least, double mean, double variance) {
  if (share <= none || mean <= least) {
    return least;
  }
  const double excess = (mean - least) / (1 - none);  // of those interrupted
  const double square = (variance + (mean - least) * (mean - least)) / (1 - none);
  const double shape = excess * excess / std::max(1e-12 * square, square - excess * excess);
  // The normal quantile by Abramowitz & Stegun 26.2.23.
  const double p = (share - none) / (1 - none);
  const double t = std::sqrt(-2 * std::log(p < 0.5 ? p : 1 - p));
  const double tail = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                              (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  const double z = p < 0.5 ? -tail : tail;
  const double root = 1 - 1 / (9 * shape) + z / (3 * std::sqrt(shape));
  return least + excess * std::pow(std::max(0.0, root), 3);
}

}  // namespace

double young_interval_s(double checkpoint_s, double interruptions_per_hour) {
  return interruptions_per_hour > 0 ? std::sqrt(2 * checkpoint_s * 3600 / interruptions_per_hour)
                                    : infinity;
}

double daly_interval_s(double checkpoint_s, double interruptions_per_hour) {
  if (interruptions_per_hour <= 0) {
    return infinity;
  }
  const double between_s = 3600 / interruptions_per_hour;
  if (checkpoint_s >= 2 * between_s) {
    return between_s;
  }
  const double ratio = checkpoint_s / (2 * between_s);
  return std::sqrt(2 * checkpoint_s * between_s) * (1 + std::sqrt(ratio) / 3 + ratio / 9) -
         checkpoint_s;
}

namespace {

// A job as it is cut into segments.
struct Cut {
  SpotTerms terms;  // without a longest life that never acts
  double interval_s = 0;
  double length_s = 0;  // of a segment with its checkpoint
  int segments = 1;
  bool undisturbed = false;  // nothing happens to it
  bool possible = false;

  [[nodiscard]] double least_h() const { return segments * length_s / 3600; }
};

Cut cut_of(const SpotTerms& asked, double useful_h) {
  assert(useful_h > 0 && asked.interruptions_per_hour >= 0);
  const double useful_s = useful_h * 3600;
  const auto [terms, parts] = spot_parts(asked, useful_s);
  Cut cut;
  cut.terms = terms;
  cut.segments = static_cast<int>(parts);
  cut.interval_s = useful_s / parts;
  cut.length_s = cut.interval_s + terms.checkpoint_s;
  const bool fits = terms.longest_life_h <= 0 || cut.least_h() <= terms.longest_life_h;
  cut.undisturbed = fits && terms.interruptions_per_hour == 0;
  const bool outlives = terms.longest_life_h <= 0 || cut.interval_s <= working_life_s(terms);
  // e^4 - 1, some 50 lost machines a segment: beyond that the recursion loses its digits, and the
  // plan its sense.
  constexpr double most_interruptions = 4;  // that chance expects while one segment is done
  const double hazard_s = terms.interruptions_per_hour / 3600;
  const double expected = hazard_s * (cut.length_s + terms.restart_s);
  cut.possible = outlives && expected <= most_interruptions;
  return cut;
}

// What the moments of the whole job make of its least hours.
void add_moments(const SpotTerms& terms, const SpotMoments& whole, SpotTime& result) {
  result.possible = true;
  result.mean_h = whole.time / 3600;
  const double variance = std::max(0.0, whole.squared - whole.time * whole.time) / (3600.0 * 3600);
  result.deviation_h = std::sqrt(variance);
  result.interruptions = whole.interruptions;
  result.chance_of_none = terms.longest_life_h > 0 && result.least_h > terms.longest_life_h
                              ? 0
                              : std::exp(-terms.interruptions_per_hour * result.least_h);
  const auto at = [&](double share) {
    return quantile(share, result.chance_of_none, result.least_h, result.mean_h, variance);
  };
  result.p50_h = at(0.50);
  result.p90_h = at(0.90);
}

}  // namespace

SpotTime spot_time(const SpotTerms& asked, double useful_h) {
  const auto cut = cut_of(asked, useful_h);
  SpotTime result;
  result.terms = asked;
  result.useful_h = useful_h;
  result.interval_s = cut.interval_s;
  result.least_h = cut.least_h();
  if (cut.undisturbed) {
    result.possible = true;
    result.mean_h = result.p50_h = result.p90_h = result.least_h;
  } else if (cut.possible) {
    add_moments(cut.terms, spot_moments(cut.terms, cut.length_s, cut.segments), result);
  }
  return result;
}

double spot_mean_h(const SpotTerms& asked, double useful_h) {
  const auto cut = cut_of(asked, useful_h);
  return cut.undisturbed ? cut.least_h()
         : cut.possible  ? spot_moments(cut.terms, cut.length_s, cut.segments).time / 3600
                         : infinity;
}

double checkpoint_bytes(const Network& network) {
  const auto state = state_bytes(network, Phase::train, Precision::bf16);
  const auto trained = trained_parameters(network);
  const auto all = std::accumulate(trained.begin(), trained.end(), std::uint64_t{0});
  return static_cast<double>(all - row_table_parameters(network)) *
             (state.parameter + state.moments) +
         static_cast<double>(row_table_bytes(network, Phase::train, Precision::bf16));
}

}  // namespace rightsize
