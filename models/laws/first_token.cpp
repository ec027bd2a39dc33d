#include "models/laws/first_token.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>

namespace rightsize {
namespace {

using Gamma = boost::math::gamma_distribution<double>;

// nullopt of a constant, or where next to never anybody waits.
std::optional<Gamma> gamma_of(const QueueMoments& moments) {
  const double shape = moments.mean * moments.mean / moments.variance;
  if (moments.variance <= 1e-12 * moments.mean * moments.mean || !(shape > 1e-100)) {
    return std::nullopt;
  }
  return Gamma(shape, moments.variance / moments.mean);
}

// P(that is waited no longer).
double waited_within(const std::optional<Gamma>& gamma, double mean, double seconds) {
  if (!gamma) {
    return mean <= seconds ? 1 : 0;
  }
  return seconds > 0 ? boost::math::cdf(*gamma, seconds) : 0;
}

// P(waiting and prompt are within `seconds`): over the prompts that are.
double within(const FirstToken& token, const std::optional<Gamma>& gamma, double seconds) {
  constexpr double shortest = -4;  // deviations; shorter ones take next to nothing
  constexpr int pieces = 32;
  const double longest = std::min(6.0, token.prompt.z_of(seconds));
  if (!(longest > shortest)) {
    return 0;
  }
  const double step = (longest - shortest) / pieces;
  double below = 0;
  double sum = 0;
  for (int i = 0; i < pieces; ++i) {
    const double z = shortest + i * step;
    const double up_to = normal_share(z + step);
    sum += (up_to - below) *
           waited_within(gamma, token.wait.mean, seconds - token.prompt.seconds(z + step / 2));
    below = up_to;
  }
  return sum;
}

double waiting_quantile(const QueueMoments& wait, double share) {
  const auto gamma = gamma_of(wait);
  return gamma ? boost::math::quantile(*gamma, share) : wait.mean;
}

}  // namespace

double OwnPrompt::seconds(double z) const {
  const double taken = spread.cv > 0 ? spread.at(z) : 1;
  return taken * reduce_s + std::max(taken * products_s, experts_s);
}

double OwnPrompt::z_of(double seconds) const {
  double most = seconds / (reduce_s + products_s);
  if (experts_s > 0) {
    const double left = seconds - experts_s;
    most = left >= 0 ? std::min(most, reduce_s > 0 ? left / reduce_s : most) : 0;
  }
  return most > 0 ? spread.z_of(most) : -std::numeric_limits<double>::infinity();
}

double FirstToken::quantile(double share) const {
  if (prompt.spread.cv == 0) {
    return iteration_s + prompt.seconds(0) + waiting_quantile(wait, share);
  }
  // Either alone at its least, and both at half of what may be missed.
  const double z = boost::math::quantile(boost::math::normal(), (1 + share) / 2);
  const auto gamma = gamma_of(wait);
  double low = 0;
  double high = waiting_quantile(wait, (1 + share) / 2) + prompt.seconds(z);
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2;
    (within(*this, gamma, middle) >= share ? high : low) = middle;
  }
  return iteration_s + high;
}

bool FirstToken::is_within(double share, double limit_s) const {
  const double left = limit_s - iteration_s;
  const auto gamma = gamma_of(wait);
  return prompt.spread.cv == 0 ? waited_within(gamma, wait.mean, left - prompt.seconds(0)) >= share
                               : within(*this, gamma, left) >= share;
}

}  // namespace rightsize
