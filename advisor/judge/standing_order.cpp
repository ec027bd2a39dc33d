#include "advisor/judge/standing_order.h"

#include <algorithm>
#include <cmath>

namespace rightsize {
namespace {

constexpr double fiftieth = 0.02;

// In whole fiftieths, how far a job misses its limits: no estimate is so sure that less were worth
// any money, and counted in steps the order of all stays one, as "about the same" would not.
double steps_missed(double miss) {
  return std::floor(std::log(miss) / std::log1p(fiftieth));
}

}  // namespace

bool better(const Standing& a, const Standing& b) {
  if (a.satisfies != b.satisfies) {
    return a.satisfies;
  }
  // Of a job; a chance would tell how wide an interval is too.
  if (!a.satisfies && steps_missed(a.miss) != steps_missed(b.miss)) {
    return steps_missed(a.miss) < steps_missed(b.miss);
  }
  const bool of_job = a.miss > 0;
  if (!a.satisfies && !of_job && a.p_limits != b.p_limits) {
    return a.p_limits > b.p_limits;
  }
  // By time alone the same machine is as good in every region: the cheaper one then.
  return a.score != b.score ? a.score < b.score
         : a.cost != b.cost ? a.cost < b.cost
                            : a.each_per_s > b.each_per_s;
}

bool better_way(const Standing& a, const Standing& b) {
  constexpr double same_money = 1e-3;  // by which no bill of an estimate is known
  const auto near = [&](double x, double y) {
    return std::abs(x - y) <= same_money * std::min(x, y);
  };
  const bool alike = a.satisfies && b.satisfies && near(a.score, b.score) && near(a.cost, b.cost);
  if (alike && a.each_per_s != b.each_per_s) {
    return a.each_per_s > b.each_per_s;
  }
  const bool both_miss = std::min(a.miss, b.miss) > 0 && std::min(a.score, b.score) > 0;
  if (a.satisfies || b.satisfies || !both_miss) {
    return better(a, b);
  }
  const double steepness = std::log(1.5) / std::log1p(fiftieth);
  const auto worse = [&](const Standing& s) {
    return steepness * std::log(s.miss) + std::log(s.score);
  };
  return worse(a) != worse(b) ? worse(a) < worse(b) : better(a, b);
}

namespace {

Standing standing_of(const Option& option) {
  const double each_per_s = option.service           ? option.service->each_per_s
                            : option.tokens          ? option.tokens->each_per_s
                            : option.hours.value > 0 ? 1 / option.hours.value
                                                     : 0;
  return {option.cost.value,
          option.score,
          option.p_deadline,
          each_per_s,
          option.miss,
          option.satisfies};
}

}  // namespace

bool better(const Option& a, const Option& b) {
  return better(standing_of(a), standing_of(b));
}

bool better_way(const Option& a, const Option& b) {
  return better_way(standing_of(a), standing_of(b));
}

}  // namespace rightsize
