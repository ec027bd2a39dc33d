// How likely each option is to be the cheapest, from joint draws of what is uncertain: options that
// share a GPU, a CPU family or a disk class share its error; the model's own error is common to
// all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rightsize {

// ln(cost), or of whatever is to be least, of one option: its mean and the standard deviations of its independent causes.
struct UncertainCost {
  double log_mean = 0;
  double model_sd = 0;        // common to all options
  double accelerator_sd = 0;  // shared by options of one `gpu`
  double cpu_speed_sd = 0;    // shared by options of one `cpu`
  double disk_sd = 0;         // shared by options of one `disk`
  double own_sd = 0;          // nobody else's
  std::string gpu;
  std::string cpu;
  std::string disk;
};

struct Chances {
  std::vector<double> cheapest;     // P(option i is the cheapest)
  std::vector<double> beats_first;  // P(option i costs less than option 0)
};

// Deterministic for a seed. `options` is ranked, the first being the one recommended.
[[nodiscard]] Chances draw_chances(const std::vector<UncertainCost>& options,
                                   int draws,
                                   std::uint64_t seed);

}  // namespace rightsize
