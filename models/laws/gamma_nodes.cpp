#include "models/laws/gamma_nodes.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>

namespace rightsize {
namespace {

// Where shares end.
constexpr std::array<double, gamma_shares> ends{
    0.1,   0.2,    0.3,  0.4,    0.45,  0.5,    0.55,  0.6,   0.65,   0.7,   0.75,
    0.8,   0.84,   0.87, 0.9,    0.92,  0.94,   0.95,  0.96,  0.97,   0.975, 0.98,
    0.984, 0.9875, 0.99, 0.9925, 0.995, 0.9965, 0.998, 0.999, 0.9997, 1};

constexpr double least_shape = 1e-3;
constexpr double most_shape = 40;
constexpr double apart = 1.2;
constexpr std::size_t shapes = 60;  // apart^59 of the least are more than the most

double middle_of(std::size_t i) {
  return (ends[i] + (i > 0 ? ends[i - 1] : 0)) / 2;
}

using Row = std::array<double, gamma_shares>;

struct Table {
  Table() {
    for (std::size_t k = 0; k < shapes; ++k) {
      const double shape = least_shape * std::pow(apart, static_cast<double>(k));
      const boost::math::gamma_distribution<double> gamma(shape, 1 / shape);
      for (std::size_t i = 0; i < gamma_shares; ++i) {
        constexpr double nothing = 1e-12;  // of the mean
        logs[k][i] = std::log(std::max(nothing, boost::math::quantile(gamma, middle_of(i))));
      }
    }
    for (std::size_t i = 0; i < gamma_shares; ++i) {
      normal[i] = boost::math::quantile(boost::math::normal(), middle_of(i));
    }
  }

  std::array<Row, shapes> logs{};  // of quantiles over the mean
  Row normal{};
};

const Table& table() {
  static const Table all;
  return all;
}

// Of a mean of 1.
double quantile(const Table& all, double shape, std::size_t i) {
  if (shape > most_shape) {
    const double root = 1 - 1 / (9 * shape) + all.normal[i] / (3 * std::sqrt(shape));
    return root * root * root;
  }
  const double at = std::max(0.0, std::log(shape / least_shape) / std::log(apart));
  const auto below = std::min(shapes - 2, static_cast<std::size_t>(at));
  const double part = at - static_cast<double>(below);
  return std::exp((1 - part) * all.logs[below][i] + part * all.logs[below + 1][i]);
}

}  // namespace

GammaNodes gamma_nodes(double mean, double variance) {
  const auto& all = table();
  const double shape = mean * mean / variance;
  GammaNodes nodes;
  for (std::size_t i = 0; i < gamma_shares; ++i) {
    nodes[i] = {ends[i] - (i > 0 ? ends[i - 1] : 0), mean * quantile(all, shape, i)};
  }
  return nodes;
}

}  // namespace rightsize
