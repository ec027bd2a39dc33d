// How long one replica takes for a minibatch of b requests: given at 1, 2, 4 ... and straight
// between. A line through two sizes would have the time of eight depend on which two; this one's
// depends on eight alone, however large a minibatch may become. Never falling: what is given as
// less than a smaller minibatch takes is taken to be that, and a thousandth more.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/laws/step_time.h"

namespace rightsize {

class MinibatchTime {
 public:
  struct Point {
    int requests = 1;
    double seconds = 0;
  };

  MinibatchTime() = default;
  // t(b) = fixed + b per_item, for every size.
  MinibatchTime(const StepTimeLaw& line);  // NOLINT(google-explicit-constructor): a line is one
  // At the sizes() of some limit, rising, seconds > 0; throws std::invalid_argument for others.
  explicit MinibatchTime(const std::vector<Point>& points);

  // The sizes to be given for minibatches of at most `limit`: 1, 2, 4 ... and the first that is not
  // below it. Where so many do not fit, the limit itself takes the place of the last.
  [[nodiscard]] static std::vector<int> sizes(int limit);

  [[nodiscard]] bool known() const { return count_ > 0; }
  // Of `requests` below 2^32. Asked for every state of a queue (shared_replicas): inline.
  [[nodiscard]] double seconds(double requests) const {
    if (count_ < 2) {
      return seconds_[0];
    }
    const auto whole = static_cast<std::uint32_t>(std::max(1.0, requests));
    const auto octave = static_cast<std::size_t>(std::bit_width(whole) - 1);
    const auto at = std::min(octave, count_ - 2);
    const double from = std::uint32_t{1} << at;
    return seconds_[at] + (requests - from) / from * (seconds_[at + 1] - seconds_[at]);
  }

  // Everything `factor` times as long, and each minibatch `more_s` longer.
  [[nodiscard]] MinibatchTime changed(double factor, double more_s = 0) const;

  // As they were given, raised where they fell; two of a line.
  [[nodiscard]] std::vector<Point> points() const;

  auto operator<=>(const MinibatchTime&) const = default;

 private:
  static constexpr std::size_t most = 17;  // 65536 requests
  std::array<double, most> seconds_{};     // at 1, 2, 4 ...
  std::size_t count_ = 0;
  int largest_ = 0;  // that was given
};

[[nodiscard]] inline double step_seconds(const MinibatchTime& time, double requests) {
  return time.seconds(requests);
}

}  // namespace rightsize
