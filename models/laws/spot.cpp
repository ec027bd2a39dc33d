#include "models/laws/spot.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/adapter_work.h"

namespace rightsize {
namespace {

// More segments than this go on as the last ones did: the recursion is then linear.
constexpr int most_segments = 256;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Integrals of a machine's life, exponential with hazard h, over [a, b).
struct Life {
  double chance = 0;
  double time = 0;     // E[x; a <= x < b]
  double squared = 0;  // E[x^2; ...]
};

Life life_between(double hazard, double a, double b) {
  if (!(b > a) || hazard <= 0) {
    return {};
  }
  const double mean = 1 / hazard;
  const auto beyond = [&](double x) {  // the integrals over [x, infinity)
    const double share = std::isinf(x) ? 0 : std::exp(-hazard * x);
    return share == 0
               ? Life{}
               : Life{share, share * (x + mean), share * (x * x + 2 * mean * x + 2 * mean * mean)};
  };
  const Life from = beyond(a);
  const Life to = beyond(b);
  return {from.chance - to.chance, from.time - to.time, from.squared - to.squared};
}

// Mean, second moment and interruptions of the time that `segments` take from a machine's start.
struct Moments {
  double time = 0;
  double squared = 0;
  double interruptions = 0;
};

// Of lives that begin with `start_up` seconds and then do segments of `length`.
class Recursion {
 public:
  Recursion(const SpotTerms& terms, double length, double start_up, int segments)
      : hazard_(terms.interruptions_per_hour / 3600),
        longest_(terms.longest_life_h > 0 ? terms.longest_life_h * 3600 : infinity),
        length_(length),
        start_up_(start_up) {
    for (int done = 0; done < segments; ++done) {
      const double from = done == 0 ? 0 : start_up + done * length;
      ended_[static_cast<std::size_t>(done)] =
          life_between(hazard_, from, std::min(longest_, start_up + (done + 1) * length));
    }
  }

  // `left[k]` is known for every k < segments. With no work done by some lives the equation holds
  // `segments` on both sides; solved for it, unless this is the first life, whose successors begin
  // otherwise: then `left` must have `segments` too.
  [[nodiscard]] Moments of(int segments,
                           const std::array<Moments, most_segments + 1>& left,
                           bool first) const {
    const double needed = start_up_ + segments * length_;
    Moments sum;
    double again = 0;  // chance that a life ends with nothing done
    double again_time = 0;
    const auto interrupted = [&](const Life& life, int done) {
      sum.time += life.time;
      sum.squared += life.squared;
      sum.interruptions += life.chance;
      if (done == 0 && !first) {
        again += life.chance;
        again_time += life.time;
        return;
      }
      const auto& rest = left[static_cast<std::size_t>(segments - done)];
      sum.time += life.chance * rest.time;
      sum.squared += 2 * life.time * rest.time + life.chance * rest.squared;
      sum.interruptions += life.chance * rest.interruptions;
    };
    for (int done = 0; done < segments; ++done) {
      interrupted(ended_[static_cast<std::size_t>(done)], done);
    }
    const double end = std::min(needed, longest_);
    const double survives = std::exp(-hazard_ * end);
    if (needed <= longest_) {
      sum.time += survives * needed;
      sum.squared += survives * needed * needed;
    } else {
      const int done = static_cast<int>(std::max(0.0, (longest_ - start_up_) / length_));
      interrupted({survives, survives * longest_, survives * longest_ * longest_}, done);
    }
    if (again > 0) {
      sum.time /= 1 - again;
      sum.interruptions /= 1 - again;
      sum.squared = (sum.squared + 2 * again_time * sum.time) / (1 - again);
    }
    return sum;
  }

 private:
  double hazard_;
  double longest_;
  double length_;
  double start_up_;
  std::array<Life, most_segments> ended_{};  // lives that end after so many segments
};

// The whole job. Starting its first machine costs what it costs on one that stays: not counted.
Moments job_moments(const SpotTerms& terms, double length, int segments) {
  if (terms.longest_life_h <= 0 && segments > 1) {
    // Without an age to die at, lives have no memory: segments are independent and alike.
    const Moments one = job_moments(terms, length, 1);
    const double time = segments * one.time;
    return {time,
            segments * (one.squared - one.time * one.time) + time * time,
            segments * one.interruptions};
  }
  const int walked = std::min(segments, most_segments);
  const Recursion recursion(terms, length, terms.restart_s, walked);
  const Recursion from_scratch(terms, length, 0, walked);
  std::array<Moments, most_segments + 1> left{};
  for (int n = 1; n <= walked; ++n) {
    left[static_cast<std::size_t>(n)] = recursion.of(n, left, false);
  }
  Moments whole = from_scratch.of(walked, left, true);
  if (segments > walked) {
    // Further segments cost what the last ones did, on average over whole lives: a machine's end
    // falls on one segment of each.
    const int per_life =
        terms.longest_life_h > 0
            ? static_cast<int>(std::clamp((terms.longest_life_h * 3600 - terms.restart_s) / length,
                                          1.0,
                                          static_cast<double>(most_segments - 1)))
            : 1;
    const auto& last = left[most_segments];
    const auto& before = left[static_cast<std::size_t>(most_segments - per_life)];
    const auto variance = [](const Moments& m) { return m.squared - m.time * m.time; };
    const double more = static_cast<double>(segments - walked) / per_life;
    const double spread = variance(whole) + more * (variance(last) - variance(before));
    whole.time += more * (last.time - before.time);
    whole.interruptions += more * (last.interruptions - before.interruptions);
    whole.squared = spread + whole.time * whole.time;
  }
  return whole;
}

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

double effective_hazard_per_hour(const SpotTerms& terms) {
  const double hazard = terms.interruptions_per_hour;
  const double longest = terms.longest_life_h;
  if (longest <= 0) {
    return hazard;
  }
  return hazard > 0 ? hazard / -std::expm1(-hazard * longest) : 1 / longest;
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

// The longest that a life works between its checkpoints.
double working_life_s(const SpotTerms& terms) {
  return terms.longest_life_h * 3600 - terms.restart_s - terms.checkpoint_s;
}

// As asked for, else Daly's.
double wanted_interval_s(const SpotTerms& terms) {
  if (terms.interval_s > 0) {
    return terms.interval_s;
  }
  const double best =
      daly_interval_s(std::max(1.0, terms.checkpoint_s), effective_hazard_per_hour(terms));
  double interval = std::max(1.0, best);
  if (terms.longest_life_h > 0) {
    // Not so short that one life has more segments than the recursion walks.
    const double life_s = working_life_s(terms);
    interval = std::max(interval, life_s / (most_segments / 2));
    interval = std::min(interval, std::max(1.0, life_s));
  }
  return interval;
}

// What the moments of the whole job make of its least hours.
void add_moments(const SpotTerms& terms, const Moments& whole, SpotTime& result) {
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

SpotTime spot_time(const SpotTerms& terms, double useful_h) {
  assert(useful_h > 0 && terms.interruptions_per_hour >= 0);
  const double useful_s = useful_h * 3600;
  const double parts = std::clamp(std::ceil(useful_s / wanted_interval_s(terms) - 1e-9), 1.0, 1e6);
  SpotTime result;
  result.interval_s = useful_s / parts;
  const double length = result.interval_s + terms.checkpoint_s;
  result.least_h = parts * length / 3600;
  const bool fits = terms.longest_life_h <= 0 || result.least_h <= terms.longest_life_h;
  if (fits && terms.interruptions_per_hour == 0) {  // nothing happens to it
    result.possible = true;
    result.mean_h = result.p50_h = result.p90_h = result.least_h;
    return result;
  }
  const bool outlives = terms.longest_life_h <= 0 || result.interval_s <= working_life_s(terms);
  // Beyond 50 lost machines a segment the recursion loses its digits, and the plan its sense.
  const double hazard_s = terms.interruptions_per_hour / 3600;
  if (!outlives || hazard_s * (length + terms.restart_s) > 4) {
    return result;
  }
  add_moments(terms, job_moments(terms, length, static_cast<int>(parts)), result);
  return result;
}

double checkpoint_bytes(const Network& network) {
  const double moments = network.optimizer == Optimizer::sgd ? 1 : 2;
  const auto trained = trained_parameters(network);
  return static_cast<double>(std::accumulate(trained.begin(), trained.end(), std::uint64_t{0})) *
         4 * (1 + moments);
}

}  // namespace rightsize
