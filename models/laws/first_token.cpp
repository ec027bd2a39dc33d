#include "models/laws/first_token.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include "kernels/normal_distribution.h"
#include "models/laws/gamma_nodes.h"

namespace rightsize {
namespace {

// False of a constant, or where next to never anybody waits.
bool varies(const QueueMoments& moments) {
  return moments.variance > 1e-12 * moments.mean * moments.mean &&
         moments.mean * moments.mean / moments.variance > 1e-100;
}

boost::math::gamma_distribution<double> gamma_of(const QueueMoments& moments) {
  return boost::math::gamma_distribution<double>(moments.mean * moments.mean / moments.variance,
                                                 moments.variance / moments.mean);
}

double waiting_quantile(const QueueMoments& wait, double share) {
  return varies(wait) ? boost::math::quantile(gamma_of(wait), share) : wait.mean;
}

// P(that is waited no longer).
double waited_within(const QueueMoments& wait, double seconds) {
  if (!varies(wait)) {
    return wait.mean <= seconds ? 1 : 0;
  }
  return seconds > 0 ? boost::math::cdf(gamma_of(wait), seconds) : 0;
}

// Of prompts that differ.
class Sum {
 public:
  explicit Sum(const FirstToken& token) : prompt_(token.prompt) {
    if (varies(token.wait)) {
      waits_ = gamma_nodes(token.wait.mean, token.wait.variance);
    } else {
      waits_.front() = {1, token.wait.mean};
    }
  }

  // P(waiting and prompt are within `seconds`).
  [[nodiscard]] double share_within(double seconds) const {
    double sum = 0;
    for (const auto& [share, waited_s] : waits_) {
      if (share > 0 && waited_s < seconds) {
        sum += share * normal_cdf(prompt_.z_of(seconds - waited_s));
      }
    }
    return sum;
  }

  [[nodiscard]] double quantile(double share) const {
    const double z = boost::math::quantile(boost::math::normal(), share);
    const auto off = [&](double seconds) { return share_within(seconds) - share; };
    const double least = prompt_.seconds(z);  // without waiting
    double most = 2 * least + waits_.back().value;
    while (off(most) < 0) {
      most *= 2;
    }
    if (off(least) >= 0) {
      return least;
    }
    constexpr int bits = 10;
    boost::uintmax_t steps = 40;
    const auto found = boost::math::tools::toms748_solve(
        off, least, most, boost::math::tools::eps_tolerance<double>(bits), steps);
    return (found.first + found.second) / 2;
  }

 private:
  const OwnPrompt& prompt_;
  GammaNodes waits_{};
};

}  // namespace

double OwnPrompt::seconds(double z) const {
  const double taken = spread.at(z);
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
  return iteration_s + (prompt.spread.cv == 0 ? prompt.seconds(0) + waiting_quantile(wait, share)
                                              : Sum(*this).quantile(share));
}

bool FirstToken::is_within(double share, double limit_s) const {
  const double left = limit_s - iteration_s;
  return (prompt.spread.cv == 0 ? waited_within(wait, left - prompt.seconds(0))
                                : Sum(*this).share_within(left)) >= share;
}

}  // namespace rightsize
