// Two instances side by side for one job: ratios whose shared errors cancel, and where the better
// one changes.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "advisor/appraisal.h"
#include "advisor/flip.h"

namespace rightsize {

// The price per hour at which an option would become the better of the two.
struct PriceFlip {
  std::size_t option = 0;  // 0 or 1: whose price moves
  double price_per_hour = 0;
  std::string currency;
};

struct Comparison {
  Query query;
  std::array<Appraisal, 2> sides;
  std::size_t better = 0;  // satisfies the constraints, then costs less

  // Second over first, unit "1". What both share (the model, one GPU's rate) cancels.
  Estimate throughput_ratio;
  Estimate hours_ratio;
  Estimate cost_ratio;
  double p_first_cheaper = 0.5;

  // Who is better by deadline, in hours; an outcome is an instance or "" for neither. Without the
  // query's own deadline and budget.
  std::vector<Flip> deadline_flips;
  std::string at_any_deadline;  // who is better where no deadline is flipped at, or beyond the last
  std::vector<PriceFlip> price_flips;  // at most one for each side
};

// Throws UsageError as Appraiser::appraise does.
[[nodiscard]] Comparison compare(const Query& query,
                                 const Evidence& evidence,
                                 const std::string& first,
                                 const std::string& second);

// Schema "rightsize/comparison/1".
[[nodiscard]] boost::json::object to_json(const Comparison& comparison);

// "aws/g6e.4xlarge": how flips name a side.
[[nodiscard]] std::string full_name(const Option& option);

}  // namespace rightsize
