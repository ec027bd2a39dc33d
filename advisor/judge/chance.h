// How likely each option is to be the cheapest, from joint draws of what is uncertain: options that
// share a GPU, a CPU family or a disk class share its error; the model's own error is common to
// all.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rightsize {

// ln(cost), or of whatever is to be least, of one option: its mean and the standard deviations of
// its independent causes.
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

// ln(cost) of option `i` when its work takes exp(`ln_factor`) times as long as expected, for costs
// that move in steps: a fleet is whole machines. Infinite: no number of them is enough.
using StepCost = std::function<double(std::size_t i, double ln_factor)>;

// Deterministic for a seed. `options` is ranked, the first being the one recommended. Without
// `steps` a cost moves with the time. Equal costs share a win.
[[nodiscard]] Chances draw_chances(const std::vector<UncertainCost>& options,
                                   int draws,
                                   std::uint64_t seed,
                                   const StepCost& steps = {});

// Standard deviation of ln(a / b): a cause that both share counts by its difference.
// `same_machine`: one machine supposed in two ways, whose own error is shared too.
[[nodiscard]] double ratio_log_sd(const UncertainCost& a,
                                  const UncertainCost& b,
                                  bool same_machine = false);

// P(`other` is better than `first`), whoever else there is: in closed form, or drawn (seed and
// number fixed) where costs move in steps, asked with 0 for the first and 1 for the other.
[[nodiscard]] double chance_of_beating(const UncertainCost& first,
                                       const UncertainCost& other,
                                       const StepCost& steps = {});

// The one rule of what is marked "=" and of whether today's machine is kept: with this chance or
// more of being the better, an option cannot be told apart from the one that ranks first.
inline constexpr double tie_chance = 0.3;
[[nodiscard]] constexpr bool cannot_be_told_apart(double p_better) {
  return p_better >= tie_chance;
}

}  // namespace rightsize
