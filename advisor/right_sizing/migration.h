// How much work a move from one machine to another is: in AWS Compute Optimizer's words.
#pragma once

#include <string>

#include "pricing/offer.h"

namespace rightsize {

struct MigrationEffort {
  std::string word;    // "VeryLow", "Low", "Medium", "High"
  std::string reason;  // "another cloud: aws -> gcp"
};

// `in_place`: whether `from` is where the job runs today, and not wherever it costs least.
[[nodiscard]] MigrationEffort migration_effort(const Offer& from, const Offer& to, bool in_place);

}  // namespace rightsize
