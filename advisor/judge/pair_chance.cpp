#include "advisor/judge/pair_chance.h"

#include <algorithm>
#include <limits>

#include "kernels/normal_distribution.h"

namespace rightsize {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double far = 6;  // standard deviations: what lies beyond is one in a billion

// Of the moves of two ln(cost)s: what they share.
double covariance(const UncertainCost& a, const UncertainCost& b) {
  const auto part = [](double x, double y, bool shared) { return shared ? x * y : 0; };
  return a.model_sd * b.model_sd + part(a.accelerator_sd, b.accelerator_sd, a.gpu == b.gpu) +
         part(a.cpu_speed_sd, b.cpu_speed_sd, a.cpu == b.cpu) +
         part(a.disk_sd, b.disk_sd, a.disk == b.disk);
}

// How far an option may move and still cost less than something, or no more than it.
struct Ends {
  double less = -infinity;
  double no_more = -infinity;
};

// An option whose cost moves in steps.
class Stairs {
 public:
  Stairs(const UncertainCost& option, const StepCost& steps, std::size_t which)
      : reach_(far * option.total_sd()), steps_(steps), which_(which) {}

  [[nodiscard]] double cost(double moved) const { return steps_(which_, moved); }

  // Asked for one cost after the other, most of them the same.
  const Ends& below(double cost) {
    if (known_ != cost) {
      ends_.less = last([&](double there) { return there < cost; });
      ends_.no_more = last([&](double there) { return there <= cost; });
      known_ = cost;
    }
    return ends_;
  }

 private:
  template <typename Holds>
  [[nodiscard]] double last(const Holds& holds) const {
    if (!holds(cost(-reach_))) {
      return -infinity;
    }
    if (holds(cost(reach_))) {
      return infinity;
    }
    double low = -reach_;
    double high = reach_;
    constexpr int halvings = 18;
    for (int i = 0; i < halvings; ++i) {
      const double middle = (low + high) / 2;
      (holds(cost(middle)) ? low : high) = middle;
    }
    return low;
  }

  double reach_;
  const StepCost& steps_;
  std::size_t which_;
  double known_ = std::numeric_limits<double>::quiet_NaN();  // none yet: it equals no cost
  Ends ends_;
};

// Of the other's moves, normal given the first's: their mean over the first's move, and their
// standard deviation.
struct Given {
  double slope = 0;
  double sd = 0;
};

Given given_first(const UncertainCost& first, const UncertainCost& other) {
  const double sd = first.total_sd();
  const double shared = covariance(first, other);
  const double slope = sd > 0 ? shared / (sd * sd) : 0;
  const double other_sd = other.total_sd();
  return {slope, std::sqrt(std::max(0.0, other_sd * other_sd - slope * shared))};
}

// Sums over what the first does, in cells of `width` standard deviations; of each, the other's
// moves given the first's are normal. `overstated`: the first costs what it does at the dear end
// of a cell and the other moves as at the cheap end, so that the sum is a bound.
double chance_by_steps(const UncertainCost& first,
                       const UncertainCost& other,
                       const StepCost& steps,
                       double width,
                       bool overstated) {
  const double sd = first.total_sd();
  const auto [slope, rest] = given_first(first, other);
  const Stairs of_first(first, steps, 0);
  Stairs of_other(other, steps, 1);
  const double aside = overstated ? width / 2 : 0;
  double sum = 0;
  double till = 0;  // P(below the cell)
  for (double z = -far; z < far; z += width) {
    const double middle = z + width / 2;
    const double after = normal_cdf(z + width);
    const double mean = slope * sd * (middle - aside);
    const auto share = [&](double end) {
      return rest > 0 ? normal_cdf((end - mean) / rest) : end > mean ? 1.0 : 0.0;
    };
    const auto& ends = of_other.below(of_first.cost(sd * (middle + aside)));
    sum += (after - till) * (share(ends.less) + share(ends.no_more)) / 2;
    till = after;
  }
  return sum;
}

// Costs that move with the time, of errors that count less to the sooner side.
double chance_by_times(const UncertainCost& first, const UncertainCost& other) {
  constexpr double width = 0.05;  // of which 0, where they bend, is an end
  constexpr double last_digit = 1e-9;
  const double sd = first.total_sd();
  const auto given = given_first(first, other);
  const auto share = [&](double over) {
    return given.sd > last_digit         ? normal_cdf(over / given.sd)
           : std::abs(over) < last_digit ? 0.5
           : over > 0                    ? 1.0
                                         : 0.0;
  };
  double sum = 0;
  double till = 0;  // P(below the cell)
  for (double z = -far; z < far; z += width) {
    const double error = sd * (z + width / 2);
    const double after = normal_cdf(z + width);
    sum += (after - till) * share(other.error_within(first.moved(error)) - given.slope * error);
    till = after;
  }
  return sum;
}

}  // namespace

double ratio_log_sd(const UncertainCost& a, const UncertainCost& b, bool same_machine) {
  const auto part = [](double x, double y, bool shared) {
    return shared ? (x - y) * (x - y) : x * x + y * y;
  };
  return std::sqrt(part(a.model_sd, b.model_sd, true) +
                   part(a.accelerator_sd, b.accelerator_sd, a.gpu == b.gpu) +
                   part(a.cpu_speed_sd, b.cpu_speed_sd, a.cpu == b.cpu) +
                   part(a.disk_sd, b.disk_sd, a.disk == b.disk) +
                   part(a.own_sd, b.own_sd, same_machine));
}

double chance_of_beating(const UncertainCost& first,
                         const UncertainCost& other,
                         const StepCost& steps) {
  constexpr double fine = 0.01;
  if (steps) {
    return chance_by_steps(first, other, steps, fine, false);
  }
  if (!first.bill.moves_with_time() || !other.bill.moves_with_time()) {
    const StepCost by_bill = [&](std::size_t i, double ln_factor) {
      return (i == 0 ? first : other).moved(ln_factor);
    };
    return chance_by_steps(first, other, by_bill, fine, false);
  }
  if (first.faster != 1 || other.faster != 1) {
    return chance_by_times(first, other);
  }
  const double better_by = first.log_mean - other.log_mean;
  const double sd = ratio_log_sd(first, other);
  return sd > 0 ? normal_cdf(better_by / sd) : better_by > 0 ? 1.0 : better_by < 0 ? 0.0 : 0.5;
}

double most_chance_of_beating(const UncertainCost& first,
                              const UncertainCost& other,
                              const StepCost& steps) {
  constexpr double coarse = 0.5;
  return chance_by_steps(first, other, steps, coarse, true);
}

}  // namespace rightsize
