// What an answer takes for granted of the vCPUs that load its items.
#pragma once

#include <string>
#include <vector>

#include "advisor/query/query.h"
#include "models/model.h"

namespace rightsize {

// Whose loader they are counted by, or what is known of the user's program that is the whole job;
// nothing where no pictures are decoded.
[[nodiscard]] std::vector<std::string> data_path_assumptions(const Model& model,
                                                             const Query& query);

}  // namespace rightsize
