// Two options against each other, each with its question, of whatever both are asked.
#pragma once

#include "advisor/explain/comparison.h"

namespace rightsize {

// An appraisal with its question.
struct AskedSide {
  const Query& query;
  const Appraisal& appraisal;
};

// Of whatever both are asked: a job, requests or tokens.
[[nodiscard]] Ratios ratios_between(const AskedSide& first,
                                    const AskedSide& second,
                                    bool same_machine = false);

}  // namespace rightsize
