// What several commands load: the model file, records, and the query options of advise and report.
#pragma once

#include <string>
#include <vector>

#include "advisor/cli/command.h"
#include "advisor/knowledge.h"
#include "advisor/query.h"
#include "models/model.h"
#include "profiler/record.h"

namespace rightsize::cli {

// Throws UsageError (no such file: run fit first) or ModelError (not a model), naming the path.
[[nodiscard]] Model load_model(const std::string& path);

// The model of --model beside the price tables and published figures. Throws as load_model().
[[nodiscard]] Knowledge load_knowledge(const Values& values);

// Records of JSONL files, or of the store when none is named. Throws UsageError naming file and
// line of a malformed record.
[[nodiscard]] std::vector<Record> load_records(const Values& values);

void add_query_options(Options& options);
[[nodiscard]] Query query_from(const Values& values);

}  // namespace rightsize::cli
