// How many there are of a machine of one's own (--on-prem count=), where its user says it: nothing
// takes more of it than that.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "advisor/query/query.h"
#include "pricing/catalog.h"

namespace rightsize {

// Of those that together take `hours` of each of so many runs a month: one where nothing is said of
// other runs.
[[nodiscard]] int at_once(double hours, const std::optional<double>& runs_per_month);

// "too few of your own machines: it takes 6, and there are 4 of own 8x A100"; "" where there are
// enough, nobody says how many there are, or the machine is rented.
[[nodiscard]] std::string why_too_few(const Offer& offer,
                                      const Query& query,
                                      int nodes,
                                      double hours);

// The most that train together: what the query asks for, or as many as there are.
[[nodiscard]] int most_together(const Query& query, const Offer& offer);

// The offer of one's own of that name; null where there is none.
[[nodiscard]] const Offer* own_offer(const Catalog& catalog, std::string_view instance);

// The catalogue with so many of the machine of that name; nullopt: as many as it takes.
[[nodiscard]] Catalog with_count(const Catalog& catalog,
                                 std::string_view instance,
                                 std::optional<int> count);

}  // namespace rightsize
