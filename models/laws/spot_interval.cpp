#include "models/laws/spot_interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "models/laws/spot_moments.h"

namespace rightsize {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The fewest parts of at most `interval_s`; rounding makes no further part.
double parts_of(double useful_s, double interval_s) {
  return std::clamp(std::ceil(useful_s / interval_s - 1e-9), 1.0, most_spot_parts);
}

// Of the whole counts beside Daly's interval the better by his eq. 13, which bends up to both
// sides.
double daly_parts(const SpotTerms& terms, double useful_s) {
  const double interval_s = std::max(
      1.0, daly_interval_s(std::max(1.0, terms.checkpoint_s), terms.interruptions_per_hour));
  const double more = parts_of(useful_s, interval_s);
  const double fewer = std::max(1.0, more - 1);
  const double hazard_s = terms.interruptions_per_hour / 3600;
  const auto cost = [&](double parts) {
    return parts * std::expm1(hazard_s * (useful_s / parts + terms.checkpoint_s));
  };
  return cost(fewer) < cost(more) ? fewer : more;
}

// About the time of the job, seconds: what interruptions by chance cost as in Daly's eq. 13, and of
// each life that is lived to its end what does not fill another part. Exact without a hazard.
class Outline {
 public:
  Outline(const SpotTerms& terms, double useful_s)
      : terms_(terms),
        useful_s_(useful_s),
        hazard_s_(terms.interruptions_per_hour / 3600),
        life_s_(terms.longest_life_h * 3600),
        lived_out_(std::exp(-hazard_s_ * life_s_)) {}

  [[nodiscard]] double time_s(double parts) const {
    const double length_s = useful_s_ / parts + terms_.checkpoint_s;
    const double worked_s =
        hazard_s_ > 0 ? parts * std::expm1(hazard_s_ * length_s) / hazard_s_ : parts * length_s;
    const double in_first = held(life_s_, length_s);
    if (parts <= in_first && hazard_s_ == 0) {
      return worked_s;
    }
    const double later_s = life_s_ - terms_.restart_s;
    const double in_later = held(later_s, length_s);
    if (in_later < 1) {
      return infinity;  // a life is needed that finishes no part
    }
    const double lives = std::ceil((parts - in_first) / in_later);  // after the first
    const double lost_s = lives <= 0 ? 0
                                     : life_s_ - in_first * length_s + terms_.restart_s +
                                           (lives - 1) * (life_s_ - in_later * length_s);
    return worked_s + lived_out_ * lost_s;
  }

 private:
  // Parts that a life of `life_s` finishes, counted as spot_moments does.
  [[nodiscard]] static double held(double life_s, double length_s) {
    return std::max(0.0, std::floor(life_s / length_s));
  }

  SpotTerms terms_;
  double useful_s_;
  double hazard_s_;
  double life_s_;
  double lived_out_;  // the chance of it
};

// The few counts of parts of least outlined time, the best first.
class Finalists {
 public:
  void enter(double parts, double time_s) {
    if (!(time_s < times_s_.back()) ||
        std::find(counts_.begin(), counts_.end(), parts) != counts_.end()) {
      return;
    }
    std::size_t place = counts_.size() - 1;
    for (; place > 0 && time_s < times_s_[place - 1]; --place) {
      counts_[place] = counts_[place - 1];
      times_s_[place] = times_s_[place - 1];
    }
    counts_[place] = parts;
    times_s_[place] = time_s;
  }

  // 0 where nobody took that place.
  [[nodiscard]] const auto& counts() const { return counts_; }

 private:
  static constexpr std::size_t size = 4;
  std::array<double, size> counts_{};
  std::array<double, size> times_s_{infinity, infinity, infinity, infinity};
};

// All small counts, so many that a life holds one, two, three ... of them, and Daly's.
Finalists finalists(const SpotTerms& terms, double useful_s, double by_daly) {
  constexpr int most_tried = 64;  // of more, what is left of a life is little
  constexpr double shortest_s = 1;
  const double most = std::clamp(std::floor(useful_s / shortest_s), 1.0, most_spot_parts);
  const Outline outline(terms, useful_s);
  Finalists best;
  const auto enter = [&](double parts) {
    const double count = std::clamp(parts, 1.0, most);
    best.enter(count, outline.time_s(count));
  };
  enter(by_daly);
  const double life_s = terms.longest_life_h * 3600;
  for (int tried = 1; tried <= most_tried; ++tried) {
    enter(tried);
    for (const double working_s : {life_s, life_s - terms.restart_s}) {
      if (const double interval_s = working_s / tried - terms.checkpoint_s; interval_s > 0) {
        enter(std::ceil(useful_s / interval_s));
      }
    }
  }
  return best;
}

// With a longest life that acts.
double best_parts(const SpotTerms& terms, double useful_s, double by_daly) {
  const auto chosen = finalists(terms, useful_s, by_daly);
  double best = std::max(1.0, chosen.counts().front());
  if (terms.interruptions_per_hour == 0) {
    return best;  // the outline is exact
  }
  double least_s = infinity;
  for (const double parts : chosen.counts()) {
    if (parts == 0) {
      break;
    }
    const double length_s = useful_s / parts + terms.checkpoint_s;
    const double time_s = spot_moments(terms, length_s, static_cast<int>(parts)).time;
    if (time_s < least_s) {
      least_s = time_s;
      best = parts;
    }
  }
  return best;
}

// A machine that lived its longest would have finished the job before: the rule never acts. A life
// after an interruption restarts first; with no hazard there is none.
bool outlived(const SpotTerms& terms, double useful_s, double parts) {
  const double restart_s = terms.interruptions_per_hour > 0 ? terms.restart_s : 0;
  return useful_s + parts * terms.checkpoint_s + restart_s <= terms.longest_life_h * 3600;
}

}  // namespace

double working_life_s(const SpotTerms& terms) {
  return terms.longest_life_h * 3600 - terms.restart_s - terms.checkpoint_s;
}

SpotParts spot_parts(const SpotTerms& terms, double useful_s) {
  const bool given = terms.interval_s > 0;
  const double parts = given ? parts_of(useful_s, terms.interval_s) : daly_parts(terms, useful_s);
  if (terms.longest_life_h <= 0 || outlived(terms, useful_s, parts)) {
    auto unlimited = terms;
    unlimited.longest_life_h = 0;
    return {unlimited, parts};
  }
  return {terms, given ? parts : best_parts(terms, useful_s, parts)};
}

}  // namespace rightsize
