#include "models/laws/length_spread.h"

#include <algorithm>
#include <cmath>

#include "kernels/normal_distribution.h"

namespace rightsize {

double OutputSpread::log_sd() const {
  return std::sqrt(std::log1p(cv * cv));
}

double OutputSpread::at(double z) const {
  const double sd = log_sd();
  return std::exp(sd * z - sd * sd / 2);
}

double OutputSpread::shorter_of_two() const {
  return 1 - std::erf(log_sd() / 2);
}

// As a call at that price (Black & Scholes, 1973).
double OutputSpread::beyond(double from) const {
  if (cv == 0 || from <= 0) {
    return std::max(0.0, 1 - from);
  }
  const double sd = log_sd();
  const double z = (sd * sd / 2 - std::log(from)) / sd;
  return normal_cdf(z) - from * normal_cdf(z - sd);
}

namespace {

// E x^power of a gamma distribution of mean 1.
double moment(double cv, int power) {
  double product = 1;
  for (int i = 1; i < power; ++i) {
    product *= 1 + i * cv * cv;
  }
  return product;
}

}  // namespace

double PromptSpread::mean() const {
  return 1 + curve * cv * cv;
}

double PromptSpread::variance() const {
  const double linear = 1 - curve;
  const double square = linear * linear * moment(cv, 2) + 2 * linear * curve * moment(cv, 3) +
                        curve * curve * moment(cv, 4);
  return std::max(0.0, square / (mean() * mean()) - 1);
}

double PromptSpread::cube() const {
  const double linear = 1 - curve;
  return (std::pow(linear, 3) * moment(cv, 3) + 3 * linear * linear * curve * moment(cv, 4) +
          3 * linear * curve * curve * moment(cv, 5) + std::pow(curve, 3) * moment(cv, 6)) /
         std::pow(mean(), 3);
}

double PromptSpread::at(double z) const {
  const double root = std::max(0.0, 1 - cv * cv / 9 + z * cv / 3);
  return taken(root * root * root) / mean();
}

double PromptSpread::z_of(double most) const {
  const double taken = most * mean();
  const double linear = 1 - curve;
  // The root of q x^2 + (1 - q) x = taken, in a form that holds for q = 0.
  const double length = 2 * taken / (linear + std::sqrt(linear * linear + 4 * curve * taken));
  return 3 / cv * (std::cbrt(length) - 1 + cv * cv / 9);
}

}  // namespace rightsize
