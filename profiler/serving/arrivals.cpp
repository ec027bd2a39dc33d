#include "profiler/serving/arrivals.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>

#include <fmt/format.h>

namespace rightsize {

std::optional<double> group_size_of(std::string_view arrivals) {
  constexpr std::string_view bursty = "bursty:";
  constexpr double largest = 10'000;
  if (arrivals == "poisson") {
    return 1;
  }
  if (!arrivals.starts_with(bursty)) {
    return std::nullopt;
  }
  const auto text = arrivals.substr(bursty.size());
  double size = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  const bool good = error == std::errc() && rest == text.data() + text.size();
  return good && size >= 1 && size <= largest ? std::optional(size) : std::nullopt;
}

std::vector<double> load_arrivals(const std::string& path) {
  std::ifstream lines(path);
  if (!lines) {
    throw ArrivalsError(fmt::format(
        "{}: cannot be read; arrivals are poisson, bursty:K (K together on average, as bursty:8), "
        "or a file of seconds, one a line",
        path));
  }
  std::vector<double> instants;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#' || line == "\r") {
      continue;
    }
    double seconds = 0;
    const auto* end = line.data() + line.size();
    const auto [rest, error] = std::from_chars(line.data(), end, seconds);
    const bool all = rest == end || *rest == '\r';
    if (error != std::errc() || !all || !(seconds >= 0) || seconds > 1e9) {
      throw ArrivalsError(fmt::format(
          "{}:{}: \"{}\": expected the second at which a request arrives", path, number, line));
    }
    if (!instants.empty() && instants.back() > seconds) {
      throw ArrivalsError(
          fmt::format("{}:{}: arrives before the line above; sort the file", path, number));
    }
    instants.push_back(seconds);
  }
  if (instants.size() < 2 || instants.front() == instants.back()) {
    throw ArrivalsError(fmt::format("{}: expected two or more arrivals at different times", path));
  }
  return instants;
}

Arrivals::Arrivals(const Requests& requests, std::uint64_t seed)
    : per_s_(requests.per_s), random_(seed) {
  if (const auto size = group_size_of(requests.arrivals)) {
    group_size_ = *size;
    if (!(per_s_ > 0)) {
      throw ArrivalsError(fmt::format("qps = {}: expected requests per second, above 0", per_s_));
    }
  } else {
    instants_ = load_arrivals(requests.arrivals);
  }
}

// In [0, 1), of 53 bits: the standard's distributions differ between libraries.
double Arrivals::uniform() {
  return static_cast<double>(random_() >> 11) * 0x1.0p-53;
}

double Arrivals::next_s() {
  if (!instants_.empty()) {
    return taken_ < instants_.size() ? instants_[taken_++]
                                     : std::numeric_limits<double>::infinity();
  }
  if (group_left_ > 0) {
    --group_left_;
    return now_s_;
  }
  now_s_ -= std::log1p(-uniform()) * group_size_ / per_s_;
  while (group_size_ > 1 && uniform() < 1 - 1 / group_size_) {
    ++group_left_;  // geometric: one more while chance lasts
  }
  return now_s_;
}

}  // namespace rightsize
