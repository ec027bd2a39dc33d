#include "models/laws/token_pace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <boost/math/tools/toms748_solve.hpp>

#include "kernels/normal_distribution.h"

namespace rightsize {
namespace {

constexpr std::size_t pieces = 16;  // of outputs by their lengths

// Of outputs of one length: a gamma distribution of that mean, deviation and shape, moved.
struct Pace {
  double mean = 0;
  double sd = 0;
  double shape = 0;
  double least = 0;  // without prompts

  [[nodiscard]] double quantile(double z) const {
    const double root = 1 - 1 / (9 * shape) + z / (3 * std::sqrt(shape));
    return std::max(least, mean + sd * std::sqrt(shape) * (std::pow(std::max(0.0, root), 3) - 1));
  }
  // P(at most `seconds`).
  [[nodiscard]] double share(double seconds) const {
    if (seconds < least) {
      return 0;
    }
    if (!(sd > 0)) {
      return seconds >= mean ? 1 : 0;
    }
    const double over = 1 + (seconds - mean) / (sd * std::sqrt(shape));
    return over > 0 ? normal_cdf(3 * std::sqrt(shape) * (std::cbrt(over) - 1 + 1 / (9 * shape)))
                    : 0;
  }
};

struct Piece {
  double share = 0;
  Pace pace;
};

// f(x) of the header.
double left_of_variance(const OutputSpread& outputs, double x) {
  // Gauss & Legendre's, of five points.
  constexpr std::array<std::pair<double, double>, 5> points{
      {{0.0469100770306680, 0.118463442528095},
       {0.230765344947158, 0.239314335249683},
       {0.5, 0.284444444444444},
       {0.769234655052842, 0.239314335249683},
       {0.953089922969332, 0.118463442528095}}};
  double sum = 0;
  for (const auto& [t, share] : points) {  // t of x
    sum += share * (1 - t) * outputs.beyond(t * x);
  }
  return 2 * sum;
}

// Of outputs of `x` means; `crowd_s` is their own.
Pace pace_of(const TokenPace& all, double x, double crowd_s) {
  constexpr double next_to_normal = 1e6;
  const double tokens = std::max(1.0, x * all.output_tokens - 1);  // after the first
  const double own_s = all.during_own_s / tokens;
  const double prompts_s2 = all.prompts_s2 / x + all.during_own_s2 / (tokens * tokens);
  Pace pace{all.mean_s + own_s,
            crowd_s + std::sqrt(prompts_s2),
            next_to_normal,
            std::max(0.0, all.mean_s - all.prompts_s - 2 * crowd_s)};
  if (prompts_s2 > 0) {
    // Of the prompts' own, mean^2 / variance; beside it the crowd's part has no skewness.
    const double mean = (all.prompts_s + own_s) / prompts_s2 * pace.sd;
    pace.shape = std::clamp(mean * mean, 0.25, next_to_normal);
  }
  return pace;
}

// Outputs by their lengths, and of each how much of the crowd's deviation is left in its mean.
struct Lengths {
  struct Length {
    double share = 0;
    double x = 0;
    double crowd = 0;
  };

  Lengths(const OutputSpread& outputs, double output_tokens) {
    constexpr double most = 3.2;  // deviations of lengths
    const double of_mean = left_of_variance(OutputSpread{}, 1);
    double below = 0;
    for (std::size_t i = 0; i < pieces; ++i) {
      const double z = most * (2 * static_cast<double>(i + 1) / pieces - 1);
      const double up_to = i + 1 == pieces ? 1 : normal_cdf(z);
      // Of two tokens at least there is a time between.
      const double x = std::max(2 / output_tokens, outputs.at(z - most / pieces));
      all[i] = {up_to - below, x, std::sqrt(left_of_variance(outputs, x) / of_mean)};
      below = up_to;
    }
  }

  std::array<Length, pieces> all{};
};

// A search asks thousands of times about the same lengths: the last are kept.
const Lengths& lengths_of(const TokenPace& pace) {
  thread_local std::pair<double, double> of{-1, -1};
  thread_local Lengths lengths(OutputSpread{}, 2);
  const std::pair asked{pace.outputs.cv, pace.output_tokens};
  if (of != asked) {
    lengths = Lengths(pace.outputs, pace.output_tokens);
    of = asked;
  }
  return lengths;
}

std::array<Piece, pieces> pieces_of(const TokenPace& pace) {
  std::array<Piece, pieces> all;
  const auto& lengths = lengths_of(pace).all;
  for (std::size_t i = 0; i < pieces; ++i) {
    all[i] = {lengths[i].share, pace_of(pace, lengths[i].x, pace.crowd_s * lengths[i].crowd)};
  }
  return all;
}

}  // namespace

double TokenPace::seconds(double z) const {
  if (outputs.cv == 0) {
    return pace_of(*this, 1, crowd_s).quantile(z);
  }
  const auto all = pieces_of(*this);
  const double share = normal_cdf(z);
  double low = mean_s;
  double high = mean_s;
  for (const auto& piece : all) {
    low = std::min(low, piece.pace.quantile(z));
    high = std::max(high, piece.pace.quantile(z));
  }
  const auto off = [&](double seconds) {
    double within = -share;
    for (const auto& piece : all) {
      within += piece.share * piece.pace.share(seconds);
    }
    return within;
  };
  if (!(high > low) || off(low) >= 0) {
    return low;
  }
  constexpr int bits = 14;
  boost::uintmax_t steps = 40;
  const auto found = boost::math::tools::toms748_solve(
      off, low, high * (1 + 1e-9), boost::math::tools::eps_tolerance<double>(bits), steps);
  return (found.first + found.second) / 2;
}

}  // namespace rightsize
