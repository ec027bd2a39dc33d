// What a job works through, as people call it: images, sequences, tokens or requests.
#pragma once

#include <string_view>

#include "advisor/query.h"
#include "kernels/workload.h"

namespace rightsize::report {

struct WorkWords {
  std::string_view many;   // "images"
  std::string_view per_s;  // "img/s"
};

// By the network's name alone: a table of records opens no files.
[[nodiscard]] WorkWords words_of(const Workload& work);
// By what the network reads; "items" where its file is not here, as with a saved answer.
[[nodiscard]] WorkWords words_of(const Query& query);

}  // namespace rightsize::report
