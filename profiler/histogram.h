// Durations counted in buckets that widen with them: every quantile within 0.4 %, from nanoseconds
// to centuries, in 60 KiB however many there are. The idea of G. Tene's HdrHistogram.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace rightsize {

class Histogram {
 public:
  void add(std::int64_t nanoseconds) {
    const auto value = nanoseconds < 0 ? 0 : nanoseconds;
    ++counts_[bucket_of(static_cast<std::uint64_t>(value))];
    ++count_;
    sum_ += static_cast<double>(value);
    most_ = value > most_ ? value : most_;
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean_seconds() const {
    return count_ > 0 ? sum_ / static_cast<double>(count_) * 1e-9 : 0;
  }
  [[nodiscard]] double most_seconds() const { return static_cast<double>(most_) * 1e-9; }

  // The smallest value that `share` of all do not exceed, by the middle of its bucket; 0 when
  // empty.
  [[nodiscard]] double quantile_seconds(double share) const {
    const double wanted = share * static_cast<double>(count_);
    double seen = 0;
    for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
      seen += static_cast<double>(counts_[bucket]);
      if (counts_[bucket] > 0 && seen >= wanted) {
        return middle_of(bucket) * 1e-9;
      }
    }
    return 0;
  }

  // Calls `visit(seconds, count)` for each value that was seen, rising, by the middle of its
  // bucket.
  template <typename Visit>
  void each(Visit&& visit) const {
    for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
      if (counts_[bucket] > 0) {
        visit(middle_of(bucket) * 1e-9, counts_[bucket]);
      }
    }
  }

 private:
  static constexpr int bits = 7;  // buckets per power of two
  static constexpr std::uint64_t per_octave = 1ULL << bits;

  // Exact below 128; above, the power of two and its next seven bits.
  [[nodiscard]] static std::size_t bucket_of(std::uint64_t value) {
    if (value < per_octave) {
      return value;
    }
    const int shift = static_cast<int>(std::bit_width(value)) - 1 - bits;
    return static_cast<std::size_t>((static_cast<std::uint64_t>(shift) + 1) * per_octave +
                                    ((value >> shift) - per_octave));
  }

  [[nodiscard]] static double middle_of(std::size_t bucket) {
    if (bucket < per_octave) {
      return static_cast<double>(bucket);
    }
    const auto shift = bucket / per_octave - 1;
    const double width = static_cast<double>(1ULL << shift);
    return (static_cast<double>(bucket % per_octave + per_octave) + 0.5) * width;
  }

  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>((64 - bits + 1) * per_octave);
  std::uint64_t count_ = 0;
  double sum_ = 0;
  std::int64_t most_ = 0;
};

}  // namespace rightsize
