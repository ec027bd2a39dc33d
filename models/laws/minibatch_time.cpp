#include "models/laws/minibatch_time.h"

#include <algorithm>
#include <stdexcept>

namespace rightsize {
namespace {

constexpr double least_rise = 1e-3;  // from one size to the next

int power_of_two(std::size_t exponent) {
  return 1 << exponent;
}

}  // namespace

MinibatchTime::MinibatchTime(const StepTimeLaw& line) : count_(2), largest_(2) {
  seconds_[0] = step_seconds(line, 1);
  seconds_[1] = step_seconds(line, 2);
}

MinibatchTime::MinibatchTime(const std::vector<Point>& points) {
  for (const auto& [requests, given_s] : points) {
    const bool follows = count_ < most && requests <= power_of_two(count_) &&
                         (count_ == 0 ? requests == 1 : requests > power_of_two(count_ - 1));
    if (!follows || !(given_s > 0)) {
      throw std::invalid_argument("minibatches of 1, 2, 4 ... with their seconds are expected");
    }
    const double before = count_ == 0 ? 0 : seconds_.at(count_ - 1);
    const double taken_s = std::max(given_s, before * (1 + least_rise));
    // A last one between two powers is carried on to the next.
    const int from = count_ == 0 ? 0 : power_of_two(count_ - 1);
    const double share = double(power_of_two(count_) - from) / (requests - from);
    seconds_.at(count_) = before + (taken_s - before) * (count_ == 0 ? 1 : share);
    largest_ = requests;
    ++count_;
    if (requests < power_of_two(count_ - 1)) {
      break;
    }
  }
}

std::vector<int> MinibatchTime::sizes(int limit) {
  std::vector<int> all{1};
  while (all.back() < limit) {
    all.push_back(2 * all.back());
  }
  return all;
}

MinibatchTime MinibatchTime::changed(double factor, double more_s) const {
  MinibatchTime other = *this;
  for (std::size_t i = 0; i < count_; ++i) {
    other.seconds_.at(i) = seconds_.at(i) * factor + more_s;
  }
  return other;
}

std::vector<MinibatchTime::Point> MinibatchTime::points() const {
  std::vector<Point> all;
  for (std::size_t i = 0; i < count_; ++i) {
    const int requests = std::min(largest_, power_of_two(i));
    all.push_back({requests, seconds(requests)});
  }
  return all;
}

}  // namespace rightsize
