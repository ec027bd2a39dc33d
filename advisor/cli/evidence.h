// What several commands load: knowledge, records, and the query options of advise and report.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "advisor/cli/command.h"
#include "advisor/knowledge.h"
#include "advisor/query/query.h"
#include "profiler/record.h"

namespace rightsize::cli {

// The model of --model beside the price tables and published figures, and the tables and machines
// of the user's own (tables.h), which the queries are told of. Where nothing was fitted here yet,
// the shipped model stands in, and stderr says so. Of one query with what was measured of it; of
// several plan_fleet adds to each its own. Throws as load_model() (fitted_model.h), and as
// add_own_rates().
[[nodiscard]] Knowledge load_knowledge(Context& context,
                                       const Values& values,
                                       std::span<Query> queries);

// Records of JSONL files, or of the store when none is named. Throws UsageError naming file and
// line of a malformed record.
[[nodiscard]] std::vector<Record> load_records(const Values& values);

void add_query_options(Options& options);
// The job file with the flags on top. Throws UsageError naming the file and field, or the flag; for
// no job at all with the usage of `command`, which is one of commands().
[[nodiscard]] Query query_from(const Values& values, std::string_view command);
// The same of a job file that is named apart: one of several of a plan.
[[nodiscard]] Query query_of_file(const Values& values, const std::string& job);

}  // namespace rightsize::cli
