#include "models/laws/spot_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace rightsize {
namespace {

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

// Of lives that begin with `start_up` seconds and then do segments of `length`, at most `most`.
template <int most>
class Recursion {
 public:
  Recursion(const SpotTerms& terms, double length, double start_up, int segments)
      : hazard_(terms.interruptions_per_hour / 3600),
        longest_(terms.longest_life_h > 0 ? terms.longest_life_h * 3600 : infinity),
        length_(length),
        start_up_(start_up),
        begun_(
            std::isinf(longest_) || start_up + segments * length <= longest_
                ? segments
                : std::clamp(static_cast<int>((longest_ - start_up) / length) + 1, 1, segments)) {
    for (int done = 0; done < begun_; ++done) {
      const double from = done == 0 ? 0 : start_up + done * length;
      ended_[static_cast<std::size_t>(done)] =
          life_between(hazard_, from, std::min(longest_, start_up + (done + 1) * length));
    }
  }

  // `left[k]` is known for every k < segments. With no work done by some lives the equation holds
  // `segments` on both sides; solved for it, unless this is the first life, whose successors begin
  // otherwise: then `left` must have `segments` too.
  [[nodiscard]] SpotMoments of(int segments,
                               const std::array<SpotMoments, most + 1>& left,
                               bool first) const {
    const double needed = start_up_ + segments * length_;
    SpotMoments sum;
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
    for (int done = 0; done < std::min(segments, begun_); ++done) {
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
  int begun_;                       // segments that a life begins at most
  std::array<Life, most> ended_{};  // lives that end after so many segments
};

SpotMoments independent(int segments, const SpotMoments& one) {
  const double time = segments * one.time;
  return {time,
          segments * (one.squared - one.time * one.time) + time * time,
          segments * one.interruptions};
}

// Further segments than are walked cost what the last ones did, on average over whole lives: a
// machine's end falls on one segment of each.
template <std::size_t size>
void go_on(const SpotTerms& terms,
           double length,
           int more_segments,
           const std::array<SpotMoments, size>& left,
           SpotMoments& whole) {
  const int per_life =
      terms.longest_life_h > 0
          ? static_cast<int>(std::clamp((terms.longest_life_h * 3600 - terms.restart_s) / length,
                                        1.0,
                                        static_cast<double>(most_walked_segments - 1)))
          : 1;
  const auto& last = left[size - 1];
  const auto& before = left[size - 1 - static_cast<std::size_t>(per_life)];
  const auto variance = [](const SpotMoments& m) { return m.squared - m.time * m.time; };
  const double more = static_cast<double>(more_segments) / per_life;
  const double spread = variance(whole) + more * (variance(last) - variance(before));
  whole.time += more * (last.time - before.time);
  whole.interruptions += more * (last.interruptions - before.interruptions);
  whole.squared = spread + whole.time * whole.time;
}

template <int most>
SpotMoments walk(const SpotTerms& terms, double length, int segments) {
  const int walked = std::min(segments, most);
  const Recursion<most> recursion(terms, length, terms.restart_s, walked);
  const Recursion<most> from_scratch(terms, length, 0, walked);
  std::array<SpotMoments, most + 1> left{};
  for (int n = 1; n <= walked; ++n) {
    left[static_cast<std::size_t>(n)] = recursion.of(n, left, false);
  }
  SpotMoments whole = from_scratch.of(walked, left, true);
  if (segments > walked) {
    go_on(terms, length, segments - walked, left, whole);
  }
  return whole;
}

}  // namespace

SpotMoments spot_moments(const SpotTerms& terms, double length, int segments) {
  // Without an age to die at, lives have no memory: segments are independent and alike.
  return terms.longest_life_h > 0 ? walk<most_walked_segments>(terms, length, segments)
                                  : independent(segments, walk<1>(terms, length, 1));
}

}  // namespace rightsize
