// What a job works through, as people call it: images, sequences, texts, tokens or requests.
#pragma once

#include <string_view>

#include "advisor/query/query.h"
#include "kernels/workload.h"
#include "profiler/record.h"

namespace rightsize::report {

struct WorkWords {
  std::string_view many;   // "images"
  std::string_view per_s;  // "img/s"
};

// By the network's name alone, "items" where it does not tell: a table of records opens no files.
[[nodiscard]] WorkWords words_by_name(const Workload& work);
// Of what was measured: as the record says what the network read, else by its name.
[[nodiscard]] WorkWords words_of(const Record& record);
// By what the network reads; "items" where its file is not here, as with a saved answer.
[[nodiscard]] WorkWords words_of(const Workload& work);
[[nodiscard]] WorkWords words_of(const Query& query);

}  // namespace rightsize::report
