// When requests come: fixed before the first one is answered, so that a busy server cannot put
// them off and make its own latencies look short ("coordinated omission", G. Tene).
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/workload.h"

namespace rightsize {

// Message = the file, the line, what was expected.
class ArrivalsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How many come together on average: 1 for "poisson", K for "bursty:K"; nullopt for anything else,
// which then is the name of a file.
[[nodiscard]] std::optional<double> group_size_of(std::string_view arrivals);

// A file of seconds, one arrival a line, rising, at least two at different times; empty lines and
// lines that begin with # are passed over. Throws ArrivalsError.
[[nodiscard]] std::vector<double> load_arrivals(const std::string& path);

// One instant after the other, in seconds since the start. By rate: groups of geometric size at
// instants of a Poisson process, the same for the same seed on every machine but for the last
// digits of the logarithm.
class Arrivals {
 public:
  // Throws ArrivalsError, also for a rate that is not above 0.
  Arrivals(const Requests& requests, std::uint64_t seed);

  // Infinite when a file has no more.
  [[nodiscard]] double next_s();

 private:
  [[nodiscard]] double uniform();

  double per_s_ = 0;
  double group_size_ = 1;
  std::mt19937_64 random_;
  double now_s_ = 0;
  std::uint64_t group_left_ = 0;
  std::vector<double> instants_;  // of a file
  std::size_t taken_ = 0;
};

}  // namespace rightsize
