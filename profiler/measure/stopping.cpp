#include "profiler/measure/stopping.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "profiler/measure/statistics.h"

namespace rightsize {
namespace {

constexpr std::size_t settle_windows = 3;
constexpr double settle_spread = 0.10;

bool settled(const std::vector<double>& rates) {
  if (rates.size() < settle_windows) {
    return false;
  }
  const auto [low, high] =
      std::minmax_element(rates.end() - static_cast<std::ptrdiff_t>(settle_windows), rates.end());
  return *low > 0 && *high <= *low * (1 + settle_spread);
}

double relative_half_width(std::span<const double> rates) {
  const auto middle = median(rates);
  const auto interval = median_interval(rates);
  return middle > 0 ? (interval.high - interval.low) / 2 / middle : 1;
}

}  // namespace

bool StoppingRule::add(double rate, double seconds) {
  total_s_ += seconds;
  warm_ = warm_ || options_.max_warmup_s <= 0;
  if (!warm_) {
    warming_.push_back(rate);
    warmup_s_ += seconds;
    const bool may_settle = !options_.whole_time && settled(warming_);
    warm_ = may_settle || warmup_s_ >= options_.max_warmup_s;
    return true;
  }
  rates_.push_back(rate);
  measured_s_ += seconds;
  return false;
}

double StoppingRule::noise() const {
  return rates_.size() < 2 ? 1 : relative_half_width(rates_);
}

// The half width shrinks with the square root of the number of windows: project it to the end of
// the budget. Only a projection twice above the limit, from a good number of windows, gives up.
bool StoppingRule::hopeless() const {
  constexpr std::size_t enough_to_judge = 4;
  constexpr double margin = 2;
  const auto least = static_cast<std::size_t>(std::max(options_.min_windows, 1));
  if (rates_.size() < enough_to_judge * least || measured_s_ <= 0) {
    return false;
  }
  const double at_end = measured_s_ + std::max(0.0, options_.max_s - total_s_);
  return noise() * std::sqrt(measured_s_ / at_end) > margin * options_.noise_limit;
}

StopVerdict StoppingRule::verdict_at_end() const {
  if (options_.whole_time) {
    return StopVerdict::enough;
  }
  return rates_.size() >= settle_windows && noise() <= options_.noise_limit ? StopVerdict::enough
                                                                            : StopVerdict::noisy;
}

StopVerdict StoppingRule::verdict(int epochs, bool has_epochs) const {
  const bool late = total_s_ >= options_.max_s;
  if (options_.whole_time) {
    return late ? StopVerdict::enough : StopVerdict::go_on;
  }
  const bool enough_windows = static_cast<int>(rates_.size()) >= options_.min_windows;
  const bool epochs_done = !has_epochs || epochs >= options_.min_epochs;
  if (late) {
    return noise() <= options_.noise_limit ? StopVerdict::enough : StopVerdict::noisy;
  }
  if (!warm_ || !enough_windows || !epochs_done || measured_s_ < options_.min_s) {
    return StopVerdict::go_on;
  }
  if (noise() <= options_.noise_target) {
    return StopVerdict::enough;
  }
  return hopeless() ? StopVerdict::noisy : StopVerdict::go_on;
}

std::string StoppingRule::reason_at_end() const {
  if (rates_.size() >= settle_windows) {
    return reason();
  }
  return fmt::format(
      "the work ended by itself with {} window{} of {:g} s after warm-up, and {} are needed; let "
      "it make more steps or epochs, or lower warmup and window",
      rates_.size(),
      rates_.size() == 1 ? "" : "s",
      options_.window_s,
      settle_windows);
}

std::string StoppingRule::reason() const {
  if (rates_.size() < 2) {
    return fmt::format("{} after warm-up in {:.1f} s; give it more time",
                       rates_.empty() ? "no window" : "only 1 window",
                       total_s_);
  }
  return fmt::format(
      "stable but noisy: the median is known to +-{:.1f} % after {} windows, above "
      "{:.1f} %",
      100 * noise(),
      rates_.size(),
      100 * options_.noise_limit);
}

}  // namespace rightsize
