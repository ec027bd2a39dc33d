// Jobs of a plan on machines that are paid by whole months: reserved, rented by the month, or
// bought. Each job's own answer has it bear such months as if it ran alone; in a plan those of one
// kind share them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "advisor/recommendation.h"
#include "pricing/catalog.h"

namespace rightsize {

// One job of a plan by the month, and what it runs on. Borrowed.
struct PlannedJob {
  const Query* query = nullptr;
  const Option* option = nullptr;
};

// Of one kind of machine that several jobs take, or of one's own that they use up.
struct SharedMonths {
  std::string name;  // as tables show it
  std::size_t jobs = 0;
  double hours = 0;          // that they work on such machines in a month, together
  double machines = 0;       // that it takes: at least as many as one of them takes at once
  double saved = 0;          // a month, against each job by itself; in the query's currency
  std::optional<int> there;  // of one's own, where it is said

  // More work than there are hours.
  [[nodiscard]] bool beyond() const { return there && machines > *there; }
};

// Services have their machines all month, and take no part.
[[nodiscard]] std::vector<SharedMonths> shared_months(std::span<const PlannedJob> jobs,
                                                      const Catalog& catalog);

// What sharing saves in all.
[[nodiscard]] double saved_by_sharing(std::span<const SharedMonths> shared);

}  // namespace rightsize
