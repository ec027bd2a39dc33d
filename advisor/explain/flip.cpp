#include "advisor/explain/flip.h"

#include <algorithm>
#include <cmath>

namespace rightsize {
namespace {

// `places` are logarithms, rising.
std::vector<Flip> flips_between(const std::vector<double>& places,
                                const Outcome& outcome,
                                double precision) {
  // The last first: what a loose limit takes, a tighter one takes at least (service_field.h).
  std::vector<std::string> outcomes(places.size());
  for (std::size_t i = places.size(); i-- > 0;) {
    outcomes[i] = outcome(std::exp(places[i]));
  }
  std::vector<Flip> flips;
  double left = places.front();
  std::string at_left = outcomes.front();
  for (std::size_t i = 1; i < places.size(); ++i) {
    const double end = places[i];
    const std::string& at_end = outcomes[i];
    // Leave one outcome after the other until the step's last is reached.
    while (at_left != at_end) {
      double right = end;
      std::string above = at_end;
      while (right - left > precision) {
        const double middle = (left + right) / 2;
        auto found = outcome(std::exp(middle));
        if (found == at_left) {
          left = middle;
        } else {
          right = middle;
          above = std::move(found);
        }
      }
      flips.push_back({std::exp(right), at_left, above});
      left = right;
      at_left = std::move(above);
    }
    left = end;
  }
  return flips;
}

}  // namespace

std::vector<Flip> find_flips(
    double low, double high, int steps, const Outcome& outcome, double precision) {
  std::vector<double> places;
  for (int i = 0; i <= steps; ++i) {
    places.push_back(std::log(low) + i * (std::log(high) - std::log(low)) / steps);
  }
  return flips_between(places, outcome, precision);
}

std::vector<Flip> find_flips_around(double now,
                                    double widest,
                                    const Outcome& outcome,
                                    double precision) {
  constexpr double nearest = 0.03;
  constexpr double widening = 1.35;
  constexpr double widest_step = 0.1;  // whole machines win and lose within little more
  std::vector<double> places{std::log(now)};
  const double reach = std::log(widest);
  double distance = 0;
  for (double step = nearest; distance < reach; step = std::min(step * widening, widest_step)) {
    distance = std::min(reach, distance + step);
    places.push_back(std::log(now) + distance);
    places.push_back(std::log(now) - distance);
  }
  std::sort(places.begin(), places.end());
  return flips_between(places, outcome, precision);
}

}  // namespace rightsize
