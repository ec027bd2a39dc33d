// A question about places where nothing is sold: a typing mistake rather than an answer.
#pragma once

#include <string>

#include "advisor/query/query.h"
#include "pricing/catalog.h"

namespace rightsize {

// Whether there is an offer, of whatever market and book, in a place that the query names, and one,
// wherever it is, of a book that it names. What does not is named wrongly, whatever else is asked.
[[nodiscard]] bool names_something(const Query& query, const Catalog& catalog);

// A sentence for a query whose place, market and book hold no offer at all: with the regions of the
// provider it names, the likest first, else with the books and providers there are.
[[nodiscard]] std::string nothing_in_scope(const Query& query, const Catalog& catalog);

}  // namespace rightsize
