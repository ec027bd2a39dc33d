// The least deadline and the least budget that some offer would meet, where none meets those asked
// for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisor/query/query.h"
#include "advisor/search.h"

namespace rightsize {

// Adds one sentence, with the flags and rounded upwards: asked for what it names, advise has an
// answer. Adds nothing where the query limits neither, or nothing of both would be enough.
void add_limit_step(const Evidence& evidence, const Query& query, std::vector<std::string>& steps);

// What would have to be moved of the query's limits for some offer to be an answer, flags with
// their offer each: empty where nothing has to be, nullopt where no offer does it at all, or none
// in time of a service. `gpu`: of offers that have it; empty: of all.
[[nodiscard]] std::optional<std::vector<std::string>> limits_to_move(const Evidence& evidence,
                                                                     const Query& query,
                                                                     std::string_view gpu = {});

}  // namespace rightsize
