// The least deadline and the least budget that some offer would meet, where none meets those asked
// for.
#pragma once

#include <string>
#include <vector>

#include "advisor/query/query.h"
#include "advisor/search.h"

namespace rightsize {

// Adds one sentence, with the flags and rounded upwards: asked for what it names, advise has an
// answer. Adds nothing where the query limits neither, or nothing of both would be enough.
void add_limit_step(const Evidence& evidence, const Query& query, std::vector<std::string>& steps);

}  // namespace rightsize
