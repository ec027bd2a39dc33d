// How far the lengths of prompts and outputs may spread: one rule for job files and suppositions.
#pragma once

#include <string>

#include <fmt/format.h>

namespace rightsize {

// Over sequences whose mean is so many tokens. The traces of calibration/token_lengths.csv have up
// to 2.2 times it.
[[nodiscard]] constexpr bool is_length_stddev(double stddev, int mean) {  // false of NaN
  return stddev >= 0 && stddev <= 3.0 * mean;
}

[[nodiscard]] inline std::string length_stddev_words(const std::string& of, int mean) {
  return fmt::format(
      "their standard deviation over sequences, in tokens, from 0 to three times {} = {}",
      of,
      mean);
}

}  // namespace rightsize
