// Lengths that differ from sequence to sequence, by a coefficient of variation c (standard
// deviation / mean). In two traces of a provider's (calibration/token_lengths.csv) c is 0.96 of
// prompts in both, 0.77 and 2.15 of outputs, and they have nothing to do with each other
// (correlations of 0.00 and -0.11), as is taken here.
#pragma once

namespace rightsize {

// Outputs: lognormal, x = exp(s z - s^2 / 2) of the mean, s^2 = ln(1 + c^2), z standard normal.
struct OutputSpread {
  double cv = 0;  // 0: all are as long

  [[nodiscard]] double log_sd() const;
  [[nodiscard]] double at(double z) const;                          // of the mean
  [[nodiscard]] double mean_square() const { return 1 + cv * cv; }  // E x^2
  // Of those that are in flight, where each is found the oftener, the longer it is: E x^3 over E x
  // less (E x^2 over E x)^2, of the mean's square.
  [[nodiscard]] double variance_in_flight() const {
    return cv * cv * mean_square() * mean_square();
  }
  // Of two of them, of the mean: one less the Gini coefficient (Aitchison & Brown, "The lognormal
  // distribution", 1957).
  [[nodiscard]] double shorter_of_two() const;
  [[nodiscard]] double beyond(double from) const;  // E (x - from)+
};

// Prompts, whose tail a server's longest one cuts: a gamma distribution of shape k = 1 / c^2, its
// quantiles x = (1 - 1 / 9k + z / 3 sqrt(k))^3 of the mean (Wilson & Hilferty, "The distribution of
// chi-square", PNAS 17, 1931). One of x takes
//   x (1 - q + q x) of one of the mean length,
// q the share of attention, whose work is the square of the length. Windows bend it the less.
struct PromptSpread {
  double cv = 0;
  double curve = 0;  // q, 0 to 1

  // By one of so many times the mean length, of what one of that takes.
  [[nodiscard]] double taken(double length) const { return length * (1 - curve + curve * length); }
  [[nodiscard]] double mean() const;        // of what one of the mean length takes
  [[nodiscard]] double variance() const;    // of what one takes over what they take in the mean
  [[nodiscard]] double cube() const;        // E of its third power, 1 where all are as long
  [[nodiscard]] double at(double z) const;  // likewise, of the one whose length is at z
  [[nodiscard]] double z_of(double most) const;  // of the longest that takes at most that; > 0
};

}  // namespace rightsize
