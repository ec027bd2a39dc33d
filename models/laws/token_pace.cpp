#include "models/laws/token_pace.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rightsize {
namespace {

constexpr std::size_t pieces = 16;  // of outputs by their lengths

// Of outputs of one length: a gamma distribution of that mean, deviation and shape, moved.
struct Pace {
  double mean = 0;
  double sd = 0;
  double shape = 0;

  [[nodiscard]] double quantile(double z) const {
    const double root = 1 - 1 / (9 * shape) + z / (3 * std::sqrt(shape));
    return mean + sd * std::sqrt(shape) * (std::pow(std::max(0.0, root), 3) - 1);
  }
  // P(at most `seconds`).
  [[nodiscard]] double share(double seconds) const {
    if (!(sd > 0)) {
      return seconds >= mean ? 1 : 0;
    }
    const double over = 1 + (seconds - mean) / (sd * std::sqrt(shape));
    return over > 0 ? normal_share(3 * std::sqrt(shape) * (std::cbrt(over) - 1 + 1 / (9 * shape)))
                    : 0;
  }
};

struct Piece {
  double share = 0;
  Pace pace;
};

// f(x) of the header.
double left_of_variance(const OutputSpread& outputs, double x) {
  constexpr int steps = 8;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double t = (i + 0.5) / steps;  // of x
    sum += (1 - t) * outputs.beyond(t * x);
  }
  return 2 * sum / steps;
}

// Of outputs of `x` means; `crowd_s` is their own.
Pace pace_of(const TokenPace& all, double x, double crowd_s) {
  constexpr double next_to_normal = 1e6;
  const double tokens = std::max(1.0, x * all.output_tokens - 1);  // after the first
  const double own_s = all.during_own_s / tokens;
  const double prompts_s2 = all.prompts_s2 / x + all.during_own_s2 / (tokens * tokens);
  Pace pace{all.mean_s + own_s, crowd_s + std::sqrt(prompts_s2), next_to_normal};
  if (prompts_s2 > 0) {
    // Of the prompts' own, mean^2 / variance; beside it the crowd's part has no skewness.
    const double mean = (all.prompts_s + own_s) / prompts_s2 * pace.sd;
    pace.shape = std::clamp(mean * mean, 0.25, next_to_normal);
  }
  return pace;
}

std::array<Piece, pieces> pieces_of(const TokenPace& pace) {
  constexpr double most = 3.2;  // deviations of lengths
  std::array<Piece, pieces> all;
  const double of_mean = left_of_variance(OutputSpread{}, 1);
  double below = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    const double z = most * (2 * static_cast<double>(i + 1) / pieces - 1);
    const double up_to = i + 1 == pieces ? 1 : normal_share(z);
    // Of two tokens at least there is a time between.
    const double x = std::max(2 / pace.output_tokens, pace.outputs.at(z - most / pieces));
    const double crowd = std::sqrt(left_of_variance(pace.outputs, x) / of_mean);
    all[i] = {up_to - below, pace_of(pace, x, pace.crowd_s * crowd)};
    below = up_to;
  }
  return all;
}

}  // namespace

double TokenPace::seconds(double z) const {
  if (outputs.cv == 0) {
    return pace_of(*this, 1, crowd_s).quantile(z);
  }
  const auto all = pieces_of(*this);
  const double share = normal_share(z);
  double low = mean_s;
  double high = mean_s;
  for (const auto& piece : all) {
    low = std::min(low, piece.pace.quantile(z));
    high = std::max(high, piece.pace.quantile(z));
  }
  for (int i = 0; i < 24; ++i) {
    const double middle = (low + high) / 2;
    double within = 0;
    for (const auto& piece : all) {
      within += piece.share * piece.pace.share(middle);
    }
    (within >= share ? high : low) = middle;
  }
  return high;
}

}  // namespace rightsize
