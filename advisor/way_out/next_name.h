// Where no machine is called so, or has one of the GPUs that are asked for.
#pragma once

#include <string>
#include <vector>

#include "advisor/query/query.h"
#include "pricing/catalog.h"

namespace rightsize {

// Of --allow a pattern that no name of what is in scope fits: mostly a place before it, or
// capitals. Of --gpu how many of them machines have here, or where they are rented.
void add_name_steps(const Query& query, const Catalog& catalog, std::vector<std::string>& steps);

}  // namespace rightsize
