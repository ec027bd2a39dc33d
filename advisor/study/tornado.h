// What moves the cost of an option, and how far: every input is moved to both ends of its range
// while the others stay, and the option is judged again. Where a move would change the choice is
// said too. Of a fleet the ends of an interval are what it would then have to be, without the
// margin that it is rented with: that is for just this.
#pragma once

#include <string>
#include <vector>

#include "advisor/explain/explanation.h"
#include "advisor/suppose/appraisal.h"

namespace rightsize {

// Where the choice changes while this input moves.
struct TornadoFlip {
  double factor = 1;  // of the input
  double cost = 0;    // of the option there
  std::string taken;  // what is chosen beyond; "" where nothing satisfies
};

struct Swing {
  std::string input;  // "speed of the L40S"
  double low = 1;     // factors: the range that was tried
  double high = 1;
  std::string range;  // where it comes from: "90% interval, published", "assumed"
  double cost_at_low = 0;
  double cost_at_high = 0;
  std::vector<TornadoFlip> flips;
};

// Widest first. `sensitivities` are of the same option: they know the flips. Costs in the option's
// currency.
[[nodiscard]] std::vector<Swing> swings(const Query& query,
                                        const Evidence& evidence,
                                        const Appraisal& appraisal,
                                        const std::vector<Sensitivity>& sensitivities);

}  // namespace rightsize
