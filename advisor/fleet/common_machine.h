// One kind of machine for every job of a plan.
#pragma once

#include <optional>

#include "advisor/fleet/fleet.h"
#include "pricing/catalog.h"

namespace rightsize {

// What is there of a machine of one's own; nullopt of what is rented, or where nobody says it.
[[nodiscard]] std::optional<int> own_count(const Catalog& catalog, const Option& option);

// The kind that each job takes anyway, else the best of those that every job can do with, by the
// objective that they share or by the money. nullopt: there is none. `fleet` has its answers, with
// all their options.
[[nodiscard]] std::optional<CommonMachine> common_machine(const Fleet& fleet,
                                                          const Catalog& catalog);

}  // namespace rightsize
