#include "models/laws/shared_replicas.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rightsize {
namespace {

// r (e^x - 1) / (1 - (g - 1)(e^x - 1)) = x, with (e^x - 1) / x taken for exp(x / 2 + x^2 / 24).
double constant_time_fall(double r, double g) {
  if (g <= 1) {
    return 6 * (std::sqrt(std::max(0.0, 1 - 2.0 / 3 * std::log(r))) - 1);
  }
  if (r >= 1) {
    return -2 * std::log(r) / (2 * g - 1);  // near 1, where it is needed
  }
  double x = (1 - r) / (g - 0.5);
  for (int i = 0; i < 3; ++i) {
    const double inner = r + (g - 1) * x;
    x -= (x / 2 + x * x / 24 + std::log(inner)) / (0.5 + x / 12 + (g - 1) / inner);
  }
  return x;
}

// q^n of a whole n; most steps are of one state, or of few.
double power(double q, double n) {
  if (n == 1) {
    return q;
  }
  constexpr double few = 64;
  if (n > few) {
    return std::pow(q, n);
  }
  double product = 1;
  for (auto left = static_cast<unsigned>(n); left > 0; left /= 2) {
    product *= left % 2 == 1 ? q : 1;
    q *= q;
  }
  return product;
}

// Sum of q^i, i = 0 .. n - 1, where `all` is q^n.
double geometric_sum(double q, double n, double all) {
  return n == 1 ? 1 : std::abs(q - 1) * n < 1e-6 ? n : (1 - all) / (1 - q);
}

}  // namespace

SharedReplicas::SharedReplicas(const MinibatchTime& time, const ServingLoad& load)
    : time_(time),
      replicas_(load.replicas),
      rate_(load.requests_per_s),
      most_(load.max_batch),
      group_(std::max(1.0, load.group_size)),
      window_s_(load.max_batch > 1 ? load.max_delay_s : 0),
      alone_s_(step_seconds(time, 1)),
      full_s_(step_seconds(time, load.max_batch)) {
  assert(load.replicas >= 2);
  utilisation_ = rate_ * full_s_ / (most_ * replicas_);
  if (utilisation_ >= 1) {
    return;
  }
  const double fill_s = replicas_ * most_ / rate_;
  if (together(full_s_) && fill_s <= window_s_ + full_s_) {
    filling_.emplace(load, full_s_);
  } else {
    when_full_ = std::exp(-constant_time_fall(utilisation_, group_));
    lay_out();
    meet_bursts();
  }
}

double SharedReplicas::done_per_s(double all) const {
  if (all < replicas_) {
    return all / (window_s_ + alone_s_);
  }
  const double each = all / replicas_;
  const double in_work = std::clamp(each / 2, 1.0, most_);
  const double step_s = step_seconds(time_, in_work);
  if (!together(step_s)) {
    return replicas_ * in_work / step_s;
  }
  return each >= most_
             ? replicas_ * most_ / full_s_
             : std::min(all / (window_s_ + step_seconds(time_, each)), replicas_ * most_ / full_s_);
}

// e^-x: the chance of `all` over that of one less.
double SharedReplicas::ratio(double all) const {
  return all >= 2 * replicas_ * most_ ? when_full_
                                      : (rate_ / done_per_s(all) + group_ - 1) / group_;
}

// The last whose chance is above that of one less.
double SharedReplicas::likeliest() const {
  double low = 0;
  double high = std::ceil(2 * replicas_ * most_);
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (done_per_s(middle) < rate_ ? low : high) = middle;
  }
  return low;
}

template <bool up>
std::size_t SharedReplicas::walk(double from, std::size_t most) {
  constexpr double nothing = 1e-6;
  constexpr double coarseness = 0.2;  // of the distance
  double edge = from;                 // the last state that is laid out
  double chance = 1;                  // of it; the likeliest state's is 1
  const std::size_t begin = count_;
  while (count_ - begin < most && (up || edge > 0)) {
    double length = std::max(1.0, std::floor(coarseness * std::abs(edge - from)));
    // Levels of the replicas are whole numbers, and the first is where somebody has to wait.
    const double level = std::floor((up ? edge + 1 : edge - 1) / replicas_);
    const double border = up ? (level + 1) * replicas_ - 1 - edge : edge - level * replicas_;
    const double doubled = 2 * replicas_;  // below it every level counts
    const bool coarse = length > replicas_ && edge > doubled;
    length = std::min(length, !coarse ? border : up ? length : edge - doubled);
    const double middle = up ? edge + (length + 1) / 2 : edge - (length - 1) / 2;
    const double next = up ? ratio(middle) : 1 / ratio(middle);
    const double all = power(next, length);
    states_.at(count_++) = {
        up ? edge + 1 : edge - length, length, chance * next * geometric_sum(next, length, all)};
    chance *= all;
    edge += up ? length : -length;
    if (chance < nothing) {
      break;
    }
  }
  return count_;
}

void SharedReplicas::lay_out() {
  const double mode = likeliest();
  const std::size_t half = most_cells / 2 - 1;
  const std::size_t below = walk<false>(mode, half);
  std::reverse(states_.begin(), states_.begin() + static_cast<std::ptrdiff_t>(below));
  states_.at(count_++) = {mode, 1, 1};
  walk<true>(mode, half);
  double sum = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    sum += states_[i].chance;
  }
  for (std::size_t i = 0; i < count_; ++i) {
    auto& states = states_[i];
    states.chance /= sum;
    const double all = states.middle();
    cells_[i] = found(all);
    if (all >= 2 * replicas_ * most_) {  // queues of several lengths are one cell
      const double half_s = (states.count - 1) / 2 / (replicas_ * most_) * full_s_;
      cells_[i].least_s -= half_s;
      cells_[i].most_s += half_s;
    }
  }
}

double SharedReplicas::mean_batch() const {
  if (utilisation_ >= 1) {
    return most_;
  }
  if (filling_) {
    return filling_->mean_batch();
  }
  double minibatches_per_s = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const double all = states_[i].middle();
    const double each = all / replicas_;
    const double half = std::clamp(each / 2, 1.0, most_);
    const double size = together(step_seconds(time_, half)) ? std::clamp(each, 1.0, most_) : half;
    minibatches_per_s += states_[i].chance * done_per_s(all) / size;
  }
  return std::clamp(rate_ / minibatches_per_s, 1.0, most_);
}

// Whom a request finds: those before its burst, and a geometric number of the burst.
void SharedReplicas::meet_bursts() {
  const double another = 1 - 1 / group_;
  double carried = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const auto& [first, states, chance] = states_[i];
    const double through = power(another, states);
    const double stays = 1 - another * (1 - through) / (states * (1 - another));
    cells_[i].share = carried * (1 - through) + chance * stays;
    carried = carried * through + chance * (1 - stays);
  }
  cells_[count_ - 1].share += carried;
}

SharedReplicas::Cell SharedReplicas::found(double all) const {
  Cell cell{};
  if (all < replicas_) {
    cell.least_s = cell.most_s = window_s_ + alone_s_;
    return cell;
  }
  const double each = all / replicas_;
  const double half = std::clamp(each / 2, 1.0, most_);
  const double half_s = step_seconds(time_, half);
  const bool at_once = together(half_s);
  const double own_s = at_once ? step_seconds(time_, std::min(each, most_)) : half_s;
  const double wait_s = at_once && each < most_ ? window_s_ : own_s;
  const double filled = (1 - 2 / (replicas_ + 1)) * std::clamp(each - 1, 0.0, 1.0);
  const double over = std::max(0.0, (1 + std::floor(each)) / most_ - 2);
  const double ahead_s = std::floor(over) * full_s_;
  cell.least_s = own_s + filled * wait_s + ahead_s;
  cell.most_s = own_s + wait_s + ahead_s;
  cell.more = over - std::floor(over);
  return cell;
}

double SharedReplicas::tail(double x_s) const {
  if (filling_) {
    return filling_->tail(x_s - full_s_);
  }
  const auto beyond = [&](const Cell& cell, double x) {
    return x < cell.least_s   ? 1.0
           : x >= cell.most_s ? 0.0
                              : (cell.most_s - x) / (cell.most_s - cell.least_s);
  };
  double sum = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const auto& cell = cells_[i];
    sum += cell.share * ((1 - cell.more) * beyond(cell, x_s) +
                         (cell.more > 0 ? cell.more * beyond(cell, x_s - full_s_) : 0));
  }
  return sum;
}

double SharedReplicas::mean() const {
  if (filling_) {
    return filling_->mean() + full_s_;
  }
  double sum = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const auto& cell = cells_[i];
    sum += cell.share * ((cell.least_s + cell.most_s) / 2 + cell.more * full_s_);
  }
  return sum;
}

double SharedReplicas::longest_s() const {
  if (filling_) {
    return filling_->longest_s() + full_s_;
  }
  double longest = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    longest = std::max(longest, cells_[i].most_s);
  }
  return longest + full_s_;
}

}  // namespace rightsize
