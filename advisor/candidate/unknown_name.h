// One of several names in a question that nothing on offer has: a typing mistake, that the others
// would hide. Where none of them has anything, the whole question says so (scope.h).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "advisor/query/query.h"
#include "pricing/catalog.h"

namespace rightsize {

// Of the places of the query ("aws/us-esat-1"), whatever is sold there, and of its `allow`: what it
// says, with the nearest name there is; "" where each has an offer, or none has. `crossed`: each
// region was asked of each provider (--region), and has to be one of theirs only.
[[nodiscard]] std::string unknown_name(const Query& query, bool crossed, const Catalog& catalog);

// The books of all that is on offer.
[[nodiscard]] std::set<std::string> books_of(const Catalog& catalog);

// The first of the books in `asked`, names with commas between, that no offer is of; "" where each
// has one.
[[nodiscard]] std::string book_of_no_table(const std::string& asked, const Catalog& catalog);

}  // namespace rightsize
